"""Views of accounts: preferences, sessions, profile, unsubscribe, export, closing the account.

Sign-up and log-in are allauth's views.
"""

import re
from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.logout import logout
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import ports
from accounts.forms import CloseAccountForm, PreferencesForm
from accounts.models import User
from accounts.people import closing, unsubscribe
from accounts.people.erasure import erase, losses
from accounts.people.export import claim
from accounts.sign_in import security_log
from accounts.tokens import revoking
from accounts.user_sessions import listing
from lib.db_clock import now
from lib.exports.zip_files import zip_pieces

MAY_BE_PK = re.compile(r"[0-9]{1,18}")

form_methods = require_http_methods(["GET", "HEAD", "POST"])


@form_methods
@never_cache
@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    form = PreferencesForm(request.POST or None, instance=request.user)
    if form.is_valid():
        user = form.save()
        for react in ports.on_preferences:
            react(user)
        messages.success(request, _("Preferences saved."))
        return redirect("accounts:preferences")
    return render(request, "accounts/preferences.html", {"form": form})


@form_methods
@never_cache
@login_required
def list_sessions(request: HttpRequest) -> HttpResponse:
    """The list of sessions; a POST ends the named one, or all except the current one."""
    if request.method != "POST":
        context = {
            "sessions": listing.list_open(request),
            "tokens": revoking.valid_of(cast(User, request.user)),
        }
        return render(request, "accounts/sessions.html", context)
    user = get_object_or_404(User, pk=request.user.pk)
    number = request.POST.get("session", "")
    if not number:
        listing.end_others(user, request)
        messages.success(request, _("The other sessions are signed out."))
        if revoking.revoke_all(user):
            messages.success(request, _("Your tokens are revoked."))
    elif MAY_BE_PK.fullmatch(number) and listing.end_one(user, int(number)):
        messages.success(request, _("The session is signed out."))
    return redirect("accounts:sessions")


@require_safe
def profile(request: HttpRequest, handle: str) -> HttpResponse:
    person = get_object_or_404(User, username__iexact=handle, pending=False)
    return render(request, "accounts/profile.html", {"person": person})


@csrf_exempt
@form_methods
@never_cache
def stop_emails(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe: asks on GET, turns the e-mails off on POST.

    Mail programs send a one-click POST (RFC 8058) without a cookie and so without a CSRF token. All
    others need the page's form, since link scanners follow every link.
    """
    one_click = request.POST.get("List-Unsubscribe") == "One-Click"
    return (_stop_emails if one_click else csrf_protect(_stop_emails))(request, token)


def _stop_emails(request: HttpRequest, token: str) -> HttpResponse:
    subscription = unsubscribe.read(token)
    if not subscription:
        raise Http404
    person, kind = subscription
    if request.method == "POST":
        unsubscribe.stop(person, kind)
    context = {"person": person, "kind": kind, "stopped": request.method == "POST"}
    return render(request, "accounts/unsubscribe.html", context)


@form_methods
@never_cache
@login_required
@reauthentication_required(app="allauth.account")
def leave(request: HttpRequest) -> HttpResponse:
    """Close the account, now or when the matches have ended."""
    user = get_object_or_404(User, pk=request.user.pk)
    lost = losses(user)
    form = CloseAccountForm(user, request.POST or None, has_matches=bool(lost))
    if form.is_valid():
        if form.is_later and not closing.close_later(user):
            return redirect("accounts:leave")
        erase(user)
        logout(request, show_message=False)
        messages.success(request, _("Your account is closed. Goodbye!"))
        return redirect("/")
    return render(request, "accounts/leave.html", {"form": form, "losses": lost})


@require_POST
@login_required
def stay(request: HttpRequest) -> HttpResponse:
    """Keep an account that was to be closed later."""
    closing.keep(get_object_or_404(User, pk=request.user.pk))
    messages.success(request, _("Your account stays open."))
    return redirect("accounts:preferences")


@form_methods
@never_cache
@login_required
@reauthentication_required(app="allauth.account")
def export(request: HttpRequest) -> HttpResponseBase:
    """The page about the export of one's data; a POST sends the ZIP file while it is made."""
    user = get_object_or_404(User, pk=request.user.pk)
    if request.method != "POST":
        return render(request, "accounts/export.html")
    at = now()
    if next_at := claim(user, at):
        return render(request, "accounts/export.html", {"next_at": next_at}, status=429)
    security_log.note("exported their data", request, user.pk)
    pieces = zip_pieces(ports.export_files.one(user), at)
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    name = f"estafette-{at:%Y-%m-%d}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
