"""Decorator for views that only handle forms: other requests are redirected to the match page.

The page that refuses a form is shown at the form's own URL. Its links, a reload, and the redirect
after signing in all request that URL without a form.
"""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods


def form_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass POST to the view; redirect other requests to the match page, with their query."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def answer(request: HttpRequest, match_id: int) -> HttpResponse:
        if request.method == "POST":
            return view(request, match_id)
        query = request.GET.urlencode()
        return redirect(reverse("play:match", args=[match_id]) + (query and f"?{query}"))

    return answer
