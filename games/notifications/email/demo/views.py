"""Views of the demo mailbox: all users' e-mails, shown to everybody; in demo mode only."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp, csp_update
from django.conf import settings
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from games.notifications import catalogue
from games.notifications.email.demo import mailbox as box
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import now

View = Callable[..., HttpResponse]

# A policy for the HTML of e-mails: inline styles only, and links that need a click.
ALONE = {
    "default-src": [NONE],
    "style-src": [UNSAFE_INLINE],
    "frame-ancestors": [SELF],
    "sandbox": ["allow-top-navigation-by-user-activation"],
}


def demo_only(view: View) -> View:
    """Decorator that answers 404 outside demo mode, and for unknown e-mails."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.DEMO:
            raise Http404
        try:
            return view(request, *args, **kwargs)
        except box.NoSuchEmail:
            raise Http404 from None

    return guarded


@require_safe
@never_cache
@demo_only
def mailbox(request: HttpRequest) -> HttpResponse:
    """The newest e-mails that were sent, and how many are scheduled."""
    held = Dispatch.objects.filter(PENDING, handler=catalogue.NOTIFY)
    later = held.filter(not_before__gt=now()).aggregate(count=Count("pk"), at=Min("not_before"))
    context = {"emails": box.newest(), "most": box.MAX_EMAILS, "later": later}
    return render(request, "mail/mailbox.html", context)


@require_safe
@never_cache
@csp_update({"frame-src": [SELF]})
@demo_only
def email(request: HttpRequest, name: str) -> HttpResponse:
    """One e-mail: its headers, its text, and its HTML in a frame."""
    return render(request, "mail/email.html", {"email": box.find(name)})


@require_safe
@never_cache
@xframe_options_sameorigin
@csp(ALONE)
@demo_only
def email_html(request: HttpRequest, name: str) -> HttpResponse:
    """An e-mail's HTML as a mail program shows it: no script, no form, nothing loaded."""
    html = box.find(name).html
    # Its links open in the whole window, not in the frame.
    return HttpResponse(html.replace("<head>", '<head><base target="_top">', 1))
