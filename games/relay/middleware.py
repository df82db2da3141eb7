"""Forms that carry a key act once, whichever page they are from."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.relay import once
from games.relay.once import AnsweredMeanwhile, Slip, UsedOtherwise

FIELD = "once"
# A new seal is laid over the same secret with every page, so it says nothing of what is asked.
APART = (FIELD, "csrfmiddlewaretoken")

View = Callable[..., HttpResponse]


class AnswersOnce:
    """Answers a form as it was answered before, or has the view answer it and notes what it said.

    What is noted is a redirection. A page that says what is wrong with the form is not: that form
    has changed nothing, and may be mended and sent again.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer(request)

    def process_view(
        self, request: HttpRequest, view: View, args: Any, named: dict[str, Any]
    ) -> HttpResponse | None:
        """Stand between the form and its view; None lets Django go on as usual."""
        key = request.POST.get(FIELD) if request.method == "POST" else None
        if key is None or (user_id := request.user.pk) is None:
            return None
        if not once.WELL_FORMED.fullmatch(key):
            return _refused(request)
        slip = once.slip(user_id, key, _said(request))
        try:
            return _before(request, slip) or _now(request, slip, view, args, named)
        except AnsweredMeanwhile:
            return _before(request, slip)
        except UsedOtherwise:
            return _refused(request)


def _said(request: HttpRequest) -> str:
    """Everything that the form says and where it was sent."""
    fields = [(name, values) for name, values in request.POST.lists() if name not in APART]
    files = [
        (name, [(file.name, file.size) for file in sent]) for name, sent in request.FILES.lists()
    ]
    return repr((request.path, sorted(fields), sorted(files)))


def _before(request: HttpRequest, slip: Slip) -> HttpResponse | None:
    answer = once.earlier(slip)
    if answer is None:
        return None
    messages.info(request, _("This form had been sent before; it counts once."))
    return HttpResponse(status=answer.status, headers={"Location": answer.location})


def _now(
    request: HttpRequest, slip: Slip, view: View, args: Any, named: dict[str, Any]
) -> HttpResponse:
    with once.under(slip):
        response = view(request, *args, **named)
        if isinstance(response, HttpResponseRedirect):
            once.settle(slip, response.status_code, response["Location"])
    return response


def _refused(request: HttpRequest) -> HttpResponse:
    return render(request, "sent_before.html", status=422)
