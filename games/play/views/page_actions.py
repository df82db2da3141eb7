"""Decorator for actions on a page: a button's POST that acts and leads back to the page."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal

View = Callable[..., HttpResponse]


def actions_on(
    page: Callable[..., str], missing: type[ObjectDoesNotExist]
) -> Callable[[View], View]:
    """Pass a POST of a signed-in user to the view; redirect other requests to `page(**named)`.

    A refusal is shown on the page; `missing` is answered with 404.
    """

    def action(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **named: object) -> HttpResponse:
            back = page(**named)
            if not request.user.is_authenticated:
                return redirect_to_login(back)
            if request.method != "POST":
                return redirect(back)
            try:
                return view(request, **named)
            except missing:
                raise Http404 from None
            except Refusal as refusal:
                messages.error(request, refusal_text(refusal))
                return redirect(back)

        return answer

    return action
