"""When a player rests: their own page to say so, and the one that everybody may read."""

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
from games.play import timeoff, vacations
from games.play.forms import HolidayForm, RestForm
from games.play.models.time import Vacation
from games.play.rest import read
from games.play.wording import say
from games.relay.moment import now
from games.rules.core.errors import Refusal

SHOWN = 50  # vacations on a page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def own(request: PersonsRequest) -> HttpResponse:
    """Days off, nights and holidays of the reader; each of the two forms comes back here."""
    do = request.POST.get("do")
    rests = RestForm(request.POST if do == "rest" else None, initial=RestForm.chosen(request.user))
    holidays = HolidayForm(request.POST if do == "plan" else None)
    try:
        if do == "rest" and rests.is_valid():
            timeoff.set_rest(request.user, rests.rest())
            messages.success(request, _("Your days off and nights are kept."))
            return redirect("play:time_off")
        if do == "plan" and holidays.is_valid():
            data = holidays.cleaned_data
            timeoff.plan(request.user, data["first"], data["last"])
            messages.success(request, _("Your holiday is entered."))
            return redirect("play:time_off")
    except Refusal as refusal:
        (rests if do == "rest" else holidays).add_error(None, say(refusal))
    context = {"rests": rests, "holidays": holidays, **_facts(request.user)}
    status = 422 if rests.errors or holidays.errors else 200
    return render(request, "play/time_off.html", context, status=status)


@require_POST
@login_required
def withdraw(request: PersonsRequest, vacation_id: int) -> HttpResponse:
    """Take a holiday back."""
    try:
        timeoff.withdraw(request.user, vacation_id)
    except Refusal as refusal:
        messages.error(request, say(refusal))
    else:
        messages.success(request, _("The holiday is taken back."))
    return redirect("play:time_off")


@require_safe
@never_cache
def of(request: HttpRequest, handle: str) -> HttpResponse:
    """What everybody may know: clocks are public, and so is what moves their deadlines."""
    person = get_object_or_404(User, username__iexact=handle, pending=False)
    return render(request, "play/time_off_of.html", {"person": person, **_facts(person)})


def _facts(person: User) -> dict[str, Any]:
    at = now()
    newest = Vacation.objects.filter(user=person.pk).order_by("-start")[:SHOWN]
    return {
        "rest": read(person.rest),
        "budget_left": vacations.left(person.pk, at) // vacations.HOUR,
        "budget": vacations.BUDGET // vacations.HOUR,
        "vacations": newest,
        "now": at,
    }
