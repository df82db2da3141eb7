"""Views of people: the block list, and who may challenge the reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.people.blocking import blocks
from games.people.blocking.forms import ContactForm, choices_of
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal

Act = Callable[[User, User], str]
View = Callable[[HttpRequest, str], HttpResponse]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def blocked(request: HttpRequest) -> HttpResponse:
    """The reader's own block list, and the form of who may challenge them."""
    reader: Any = request.user
    sent = request.POST if request.method == "POST" else None
    form = ContactForm(sent, initial=choices_of(reader))
    if form.is_valid():
        form.save(reader)
        messages.success(request, _("Preferences saved."))
        return redirect("people:blocked")
    context = {
        "form": form,
        "blocks": blocks.blocked_by(reader.pk),
        "most": blocks.MAX_BLOCKS,
    }
    status = 422 if form.errors else 200
    return render(request, "people/blocked.html", context, status=status)


def action(act: Act) -> View:
    """Make a view of an action on a person: POST by signed-in users; redirects other requests."""

    @wraps(act)
    def answer(request: HttpRequest, handle: str) -> HttpResponse:
        person = get_object_or_404(User, username__iexact=handle, pending=False)
        if not request.user.is_authenticated:
            return redirect_to_login(person.get_absolute_url())
        if request.method != "POST":
            return redirect(person)
        reader: Any = request.user
        try:
            messages.success(request, act(reader, person))
        except Refusal as refusal:
            messages.error(request, refusal_text(refusal))
            return redirect(person)
        return redirect("people:blocked")

    return answer


@action
def block(reader: User, person: User) -> str:
    blocks.block(reader, person)
    return _("You have blocked %(person)s. They are not notified.") % {"person": person}


@action
def unblock(reader: User, person: User) -> str:
    blocks.unblock(reader, person)
    return _("You have unblocked %(person)s.") % {"person": person}
