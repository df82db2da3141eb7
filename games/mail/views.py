"""The demo's letters as pages. They show everybody's mail to anybody: in demo mode alone."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp, csp_update
from django.conf import settings
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from games.mail import mailbox as box
from games.relay.models import WAITING, Dispatch
from games.relay.moment import now

Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponse]

# What a letter brings along is shown and can do nothing; its links follow a reader's click.
ALONE = {
    "default-src": [NONE],
    "style-src": [UNSAFE_INLINE],
    "frame-ancestors": [SELF],
    "sandbox": ["allow-top-navigation-by-user-activation"],
}


def demo_only(view: View[Arguments]) -> View[Arguments]:
    """Elsewhere there is no such page, and no such letter."""

    @wraps(view)
    def guarded(
        request: HttpRequest, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponse:
        if not settings.DEMO:
            raise Http404
        try:
            return view(request, *args, **kwargs)
        except box.NoSuchLetter:
            raise Http404 from None

    return guarded


@require_safe
@never_cache
@demo_only
def mailbox(request: HttpRequest) -> HttpResponse:
    """The newest letters that left this machine, and how many have their hour before them."""
    held = Dispatch.objects.filter(WAITING, handler__startswith="games.mail.")
    later = held.filter(not_before__gt=now()).aggregate(count=Count("pk"), at=Min("not_before"))
    context = {"letters": box.newest(), "most": box.MOST, "later": later}
    return render(request, "mail/mailbox.html", context)


@require_safe
@never_cache
@csp_update({"frame-src": [SELF]})
@demo_only
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """One letter: headers, text, and its HTML in a frame of its own."""
    return render(request, "mail/letter.html", {"letter": box.find(name)})


@require_safe
@never_cache
@xframe_options_sameorigin
@csp(ALONE)
@demo_only
def letter_html(request: HttpRequest, name: str) -> HttpResponse:
    """A letter's HTML as a mail program shows it: no script, no form, nothing loaded."""
    html = box.find(name).html
    # In the frame of the letter's page, its links are to open the whole window.
    return HttpResponse(html.replace("<head>", '<head><base target="_top">', 1))
