"""Views of notifications: settings, their actions, webhooks of bots, feeds, the service worker."""

import secrets
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.notifications import standing_access
from games.notifications.channels import feeds, web_push, webhooks, webpush_crypto
from games.notifications.channels.safe_http import NotAllowed
from games.notifications.forms import DeviceForm, PreferencesForm, RenewalForm, WebhookForm
from games.notifications.models import Device, Feed, Webhook
from games.notifications.policy import channel_status, deliverability, summaries
from games.notifications.policy.kinds import Channel
from games.outbox import publishing
from lib.admin_base import PRIMARY_KEY


def own_form(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view that takes forms of a signed-in user alone."""
    return require_POST(never_cache(login_required(view)))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """The settings page: the preferences as a form, and each channel with its state."""
    user = cast(User, request.user)
    form = PreferencesForm(user, request.POST or None)
    if form.is_valid():
        with command_transaction():
            form.save()
        messages.success(request, _("Settings saved."))
        return redirect("notifications:settings")
    return _page(request, user, form=form)


@own_form
@reauthentication_required(app="allauth.account")
def add_device(request: HttpRequest) -> HttpResponse:
    form = DeviceForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The browser sent too little information. Please try again."))
        return redirect("notifications:settings")
    try:
        web_push.add(cast(User, request.user), **form.cleaned_data)
    except NotAllowed as refusal:
        messages.error(request, str(refusal))
    else:
        standing_access.notify_owner(cast(User, request.user))
        messages.success(request, _("Notifications will be shown on this device."))
    return redirect("notifications:settings")


@csrf_exempt
@require_POST
@never_cache
def renew_device(request: HttpRequest) -> HttpResponse:
    """Replace the subscription of a device that its browser has renewed.

    The service worker calls it, which has no CSRF token; only that browser knows the old address.
    Status 204, 401 without a session, 404 if the user has no device with the old address, 422 for a
    wrong form.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    form = RenewalForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        is_known = web_push.renew(request.user, **form.cleaned_data)
    except NotAllowed:
        return HttpResponse(status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return HttpResponse(status=HTTPStatus.NO_CONTENT if is_known else HTTPStatus.NOT_FOUND)


@own_form
def remove_device(request: HttpRequest, pk: int) -> HttpResponse:
    web_push.remove(cast(User, request.user), pk)
    messages.success(request, _("The device no longer shows notifications."))
    return redirect("notifications:settings")


@own_form
@reauthentication_required(app="allauth.account")
def add_webhook(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            webhooks.add(user, **form.cleaned_data)
        except NotAllowed as refusal:
            form.add_error("url", str(refusal))
        else:
            standing_access.notify_owner(user)
            messages.success(
                request, _("Webhook added. Send it a test to see whether it can be reached.")
            )
            return redirect("notifications:settings")
    return _page(request, user, webhook_form=form)


@own_form
def remove_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    webhooks.remove(cast(User, request.user), pk)
    messages.success(request, _("Webhook removed."))
    return redirect("notifications:settings")


@own_form
@reauthentication_required(app="allauth.account")
def renew_feeds(request: HttpRequest) -> HttpResponse:
    """Turn the feeds on, or give them new secret addresses; the old ones stop working."""
    are_new = feeds.renew(cast(User, request.user))
    standing_access.notify_owner(cast(User, request.user))
    if are_new:
        messages.success(request, _("Feeds turned on. Their addresses are below."))
    else:
        messages.success(request, _("The feeds have new addresses. The old ones no longer work."))
    return redirect("notifications:settings")


@own_form
def close_feeds(request: HttpRequest) -> HttpResponse:
    feeds.close(cast(User, request.user))
    messages.success(request, _("Feeds turned off."))
    return redirect("notifications:settings")


@own_form
def close_all(request: HttpRequest) -> HttpResponse:
    standing_access.close_all(cast(User, request.user))
    messages.success(request, _("All devices and webhooks were removed, and the feeds turned off."))
    return redirect("notifications:settings")


@own_form
def trial(request: HttpRequest, channel: str, pk: int = 0) -> HttpResponse:
    """Send a test over this channel: by e-mail, or to one device or webhook."""
    user = cast(User, request.user)
    if not ratelimit.consume(request, action="notification_test"):
        messages.error(request, _("Too many tests. Wait an hour before the next one."))
        return redirect("notifications:settings")
    ids = {"push": {"device": pk}, "webhook": {"webhook": pk}}.get(channel, {})
    # Unique, so that each test is a new row.
    ids["number"] = secrets.randbits(48)
    with command_transaction():
        if channel == Channel.EMAIL:
            # By asking for a test, the user says that the mailbox works.
            deliverability.revive(user)
        publishing.enqueue(f"trial-{channel}", "trial", user=user, **ids)
    messages.success(request, _("The test is on its way. Come back in a minute to see the result."))
    return redirect("notifications:settings")


@own_form
def seen(request: HttpRequest) -> HttpResponse:
    """Dismiss the warning about a lost device."""
    with command_transaction():
        channel_status.clear(cast(User, request.user), Channel.PUSH)
    return redirect("notifications:settings")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required(app="allauth.account")
def bot(request: HttpRequest, handle: str) -> HttpResponse:
    """The webhooks of one's bot; a POST adds one, or tests or removes the named one."""
    account = get_object_or_404(User, owner=request.user.pk, username__iexact=handle)
    form = WebhookForm(request.POST if "url" in request.POST else None)
    if request.method == "POST" and (
        _act_on_bot(request, account) or _add_to_bot(request, account, form)
    ):
        return redirect("notifications:bot", account.username)
    owned = Webhook.objects.filter(user=account).order_by("pk")
    context = {
        "bot": account,
        "form": form,
        "webhooks": [(webhook, webhooks.shown_secret(webhook)) for webhook in owned],
    }
    status = 422 if form.errors else 200
    return render(request, "notifications/bot.html", context, status=status)


def _act_on_bot(request: HttpRequest, account: User) -> bool:
    """Test or remove a webhook; False if the form asks for neither."""
    for action in ("test", "remove"):
        number = request.POST.get(action, "")
        if not PRIMARY_KEY.fullmatch(number):
            continue
        if action == "remove":
            webhooks.remove(account, int(number))
            messages.success(request, _("Webhook removed."))
        else:
            _test_of_bot(request, account, int(number))
        return True
    return False


def _test_of_bot(request: HttpRequest, account: User, number: int) -> None:
    webhook = get_object_or_404(Webhook, user=account, pk=number)
    if not ratelimit.consume(request, action="notification_test"):
        messages.error(request, _("Too many tests. Wait an hour before the next one."))
        return
    # Unique, so that each test is a new row.
    ids = {"webhook": webhook.pk, "number": secrets.randbits(48)}
    with command_transaction():
        publishing.enqueue("trial-webhook", "trial", user=account, **ids)
    messages.success(request, _("The test is on its way. Come back in a minute to see the result."))


def _add_to_bot(request: HttpRequest, account: User, form: WebhookForm) -> bool:
    if not form.is_valid():
        return False
    try:
        webhooks.add(account, **form.cleaned_data)
    except NotAllowed as refusal:
        form.add_error("url", str(refusal))
        return False
    messages.success(request, _("Webhook added. Send it a test to see whether it can be reached."))
    return True


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker caches and shows while offline."""
    return render(request, "offline.html")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its URL is at the root, so that it may open any page of the site."""
    script = (site.BASE_DIR / "static" / "js" / "service-worker.js").read_bytes()
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    # Browsers revalidate it at every visit.
    response.headers["Cache-Control"] = "no-cache"
    return response


def _page(
    request: HttpRequest,
    user: User,
    form: PreferencesForm | None = None,
    webhook_form: WebhookForm | None = None,
) -> HttpResponse:
    devices = list(Device.objects.filter(user=user).order_by("-added_at"))
    unreached = user.unreached.split()
    context: dict[str, Any] = {
        "form": form or PreferencesForm(user),
        "webhook_form": webhook_form or WebhookForm(),
        "device_form": DeviceForm(),
        "devices": devices,
        # Stopped devices are in the list with their own reason.
        "removed": Channel.PUSH in unreached and not any(device.stopped for device in devices),
        "webhooks": [
            (webhook, webhooks.shown_secret(webhook))
            for webhook in Webhook.objects.filter(user=user)
        ],
        "feeds": feeds.addresses(user),
        "mailbox": deliverability.mailbox(user),
        "unreached": unreached,
        "channels": Channel,
        "push_key": webpush_crypto.public_key(),
    }
    return render(request, "notifications/settings.html", context)


@require_safe
@cache_control(private=True, max_age=300)
def atom(request: HttpRequest, token: str) -> HttpResponseBase:
    feed = _feed(token)
    with translation.override(feed.user.email_language), timezone.override(feed.user.zoneinfo):
        written = feeds.atom(feed, summaries.absolute_url(request.path))
    return _fed(request, written.encode(), "application/atom+xml; charset=utf-8")


@require_safe
@cache_control(private=True, max_age=300)
def ical(request: HttpRequest, token: str) -> HttpResponseBase:
    feed = _feed(token)
    with translation.override(feed.user.email_language), timezone.override(feed.user.zoneinfo):
        written = feeds.ical(feed)
    return _fed(request, written, "text/calendar; charset=utf-8")


def _feed(token: str) -> Feed:
    feed = feeds.read(token)
    if feed is None:
        raise Http404
    return feed


def _fed(request: HttpRequest, written: bytes, content_type: str) -> HttpResponseBase:
    """The response with a feed; 304 without it if the client has this version."""
    etag = f'"{sha256(written).hexdigest()[:32]}"'
    headers = {"X-Robots-Tag": "noindex", "ETag": etag}
    response = HttpResponse(written, content_type=content_type, headers=headers)
    known = get_conditional_response(request, etag=etag, response=response)
    return known or response
