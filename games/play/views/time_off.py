"""Time-off pages: a player's own, with forms, and the public one of any player."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import PersonsRequest
from games.play.clocks import vacations
from games.play.clocks.rest import parse
from games.play.commands import time_off
from games.play.forms import RestForm, VacationForm
from games.play.models.time import Vacation
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now

MAX_SHOWN_VACATIONS = 50  # per page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def own(request: PersonsRequest) -> HttpResponse:
    """The reader's days off, nights and vacations, with a form for each."""
    do = request.POST.get("do")
    rest_form = RestForm(
        request.POST if do == "rest" else None, initial=RestForm.chosen(request.user)
    )
    vacation_form = VacationForm(request.POST if do == "plan" else None)
    try:
        if do == "rest" and rest_form.is_valid():
            time_off.set_rest(request.user, rest_form.rest())
            messages.success(request, _("Days off and nights saved."))
            return redirect("play:time_off")
        if do == "plan" and vacation_form.is_valid():
            data = vacation_form.cleaned_data
            time_off.plan(request.user, data["first"], data["last"])
            messages.success(request, _("Vacation saved."))
            return redirect("play:time_off")
    except Refusal as refusal:
        (rest_form if do == "rest" else vacation_form).add_error(None, refusal_text(refusal))
    context = {"rests": rest_form, "vacation_form": vacation_form, **_facts(request.user)}
    status = 422 if rest_form.errors or vacation_form.errors else 200
    return render(request, "play/time_off.html", context, status=status)


@require_POST
@login_required
def withdraw(request: PersonsRequest, vacation_id: int) -> HttpResponse:
    """Cancel a planned vacation."""
    try:
        time_off.withdraw(request.user, vacation_id)
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Vacation cancelled."))
    return redirect("play:time_off")


@require_safe
@never_cache
def public_page(request: HttpRequest, handle: str) -> HttpResponse:
    """The public page of a player: what moves deadlines is public, as clocks are."""
    person = get_object_or_404(User, username__iexact=handle, pending=False)
    return render(request, "play/time_off_of.html", {"person": person, **_facts(person)})


def _facts(person: User) -> dict[str, Any]:
    at = now()
    newest = Vacation.objects.filter(user=person.pk).order_by("-start")[:MAX_SHOWN_VACATIONS]
    return {
        "rest": parse(person.rest),
        "budget_left": vacations.days_left(person.pk, at),
        "budget": vacations.YEARLY_BUDGET.days,
        "vacations": newest,
        "now": at,
    }
