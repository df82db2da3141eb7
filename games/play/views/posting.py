"""Addresses that take a form. Whoever comes there otherwise is led to the board.

A refused form is answered at its own address, so the links of that page, a reload by hand and the
way back from the log-in all lead there without a form.
"""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods


def takes_a_form(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view of a match have the forms alone; other requests go to the match, query and all."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def answer(request: HttpRequest, match_id: int) -> HttpResponse:
        if request.method == "POST":
            return view(request, match_id)
        query = request.GET.urlencode()
        return redirect(reverse("play:match", args=[match_id]) + (query and f"?{query}"))

    return answer
