"""Web push channel: each row of the outbox is for one device.

A locked screen shows pushes to everybody nearby, so they contain public facts only, and what
happened if the reader wants that.
"""

import json
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.notifications import catalogue
from games.notifications.channels import failures, offers_with_turn, safe_http, webpush_crypto
from games.notifications.models import Device
from games.notifications.policy import channel_status, preferences, schedule, summaries
from games.notifications.policy.kinds import Channel, Detail, NotificationKind
from games.notifications.policy.localization import localized
from games.notifications.policy.relevance import View, reader_of, supersede_unless
from games.notifications.policy.summaries import Summary
from games.outbox.handling import Batch, Later, PermanentFailure, Superseded, calls_external_address
from games.outbox.models import Dispatch, Reason
from games.play.lists.waiting import count_waiting
from games.play.record.match_view import MatchView
from games.play.words import narration
from lib.db_clock import now

TTL_SECONDS = 24 * 3600  # seconds for which a push service keeps what it cannot deliver
MAX_TEXT_CHARACTERS = 1000
MAX_DEVICES = 10  # per user
GONE = (404, 410)  # RFC 8030, 7.3: the subscription has ended
# How services say that a subscription belongs to another key (RFC 8292, 4.2; Apple answers 400).
KEY_REFUSED = (400, 401, 403)
NOT_SIGNED = (401, 403)
# Our own network, or the push service of many devices, may be down for days. So such failures stop
# a device later than what is said about this device.
MAX_SILENT_DAYS = 14

KEY = gettext_noop(
    "The push service rejects this server's key for the device (%(status)s). Remove the "
    "device here, then add it again on the device itself."
)
REFUSED = gettext_noop(
    "The push service rejects messages for this device (%(status)s). If it goes on, remove the "
    "device here, then add it again on the device itself."
)
SIGNATURE = gettext_noop("The push service does not accept this server's signature (%(status)s).")


@calls_external_address
def on_event(dispatch: Dispatch, batch: Batch) -> None:
    """Send a notification to one device, after quiet hours and if it is still true."""
    notification = catalogue.find(dispatch.event)
    reader, device = reader_of(dispatch), _device(dispatch)
    supersede_unless(not device.stopped, Reason.NO_CHANNEL)
    preferred, at = preferences.read(reader), dispatch.claimed_at or now()
    failures.wait_until_asked(device, at)
    due = schedule.quiet_end(preferred, reader.zoneinfo, at)
    view = notification.require_view(dispatch)
    offers_with_turn.supersede_if_reported(dispatch, view)
    if due > at and not (notification.kind == NotificationKind.REMINDER and _passes(view, due)):
        raise Later(due)
    with localized(reader):
        summary = summaries.about(notification, view)
        text = "\n".join([*offers_with_turn.sentences(dispatch, view), summary.text])
        if preferred.push_detail == Detail.MOVE and notification.tells_ply:
            text = "\n".join([*_last_ply(view), text])
    _send(device, summary, text, count_waiting(reader))


@calls_external_address
def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """Send a test that the reader asked for to one device."""
    reader, device = reader_of(dispatch), _device(dispatch)
    failures.wait_until_asked(device, dispatch.claimed_at or now())
    with localized(reader):
        summary = Summary(
            title=_("Notifications work"),
            text=_("You asked for this test. Notifications are reaching this device."),
            link=summaries.absolute_url("/notifications/"),
            topic="trial",
        )
    _send(device, summary, summary.text, count_waiting(reader))


def add(user: User, endpoint: str, p256dh: str, auth: str, name: str) -> Device:
    """Add this browser as a device. Raises safe_http.NotAllowed, with a sentence."""
    subscription = _subscription(endpoint, p256dh, auth)
    values = {**subscription, "user": user, "name": name[:60], "added_at": now()}
    with command_transaction():
        device, _created = Device.objects.update_or_create(digest=digest(endpoint), defaults=values)
        # Beyond the limit, the oldest devices are probably not used any more.
        newest = Device.objects.filter(user=user).order_by("-added_at", "-pk")
        for old in newest[MAX_DEVICES:]:
            old.delete()
        channel_status.clear(user, Channel.PUSH)
        refresh(user)
    return device


def renew(user: User, old: str, endpoint: str, p256dh: str, auth: str) -> bool:
    """Replace the subscription at the address `old` of one of the user's devices by another.

    Browsers do so by themselves when a subscription expires. Returns False if the user has no such
    device; raises safe_http.NotAllowed, with a sentence.
    """
    subscription = _subscription(endpoint, p256dh, auth)
    with command_transaction():
        device = Device.objects.filter(user=user, digest=digest(old)).first()
        if device is None:
            return False
        other = Device.objects.filter(digest=digest(endpoint)).exclude(pk=device.pk).first()
        if other is not None and other.user_id != user.pk:
            return False
        if other is not None:
            # The browser was added again before it could say so.
            device.delete()
        else:
            values = {**subscription, "digest": digest(endpoint)}
            Device.objects.filter(pk=device.pk).update(**values)
        if device.stopped:
            channel_status.clear(user, Channel.PUSH)
        refresh(user)
    return True


def _subscription(endpoint: str, p256dh: str, auth: str) -> dict[str, object]:
    """The columns of a device with this subscription; raises safe_http.NotAllowed."""
    safe_http.check(endpoint)
    try:
        webpush_crypto.encrypt(b"?", p256dh, auth)
        webpush_crypto.vapid_header(endpoint)
    except ValueError:
        raise safe_http.NotAllowed(_("The browser gave no usable key. Please try again.")) from None
    return {
        **failures.NONE,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "server_key": webpush_crypto.key_digest(),
    }


def remove(user: User, pk: int) -> None:
    """Delete one of the user's devices."""
    with command_transaction():
        device = Device.objects.filter(user=user, pk=pk).first()
        if device is None:
            return
        device.delete()
        if device.stopped:
            channel_status.clear(user, Channel.PUSH)
        refresh(user)


def refresh(user: User) -> None:
    """Store whether the user has an active device, and whether one is stopped."""
    devices = Device.objects.filter(user=user)
    preferences.set_channel(user, Channel.PUSH, devices.filter(stopped=False).exists())
    if devices.filter(stopped=True).exists():
        channel_status.mark_unreached(user, Channel.PUSH)


def digest(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _device(dispatch: Dispatch) -> Device:
    device = Device.objects.filter(pk=dispatch.ref["device"], user=dispatch.user).first()
    if device is None:
        raise Superseded(Reason.NO_CHANNEL)
    return device


def _send(device: Device, summary: Summary, text: str, waiting: int) -> None:
    message = {
        "title": f"({waiting}) {summary.title}" if waiting > 1 else summary.title,
        "body": text[:MAX_TEXT_CHARACTERS],
        "link": summary.link,
        "tag": summary.topic,
        "waiting": waiting,
    }
    body = webpush_crypto.encrypt(
        json.dumps(message, ensure_ascii=False).encode(), device.p256dh, device.auth
    )
    headers = {
        "Authorization": webpush_crypto.vapid_header(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_SECONDS),
        # Of several that wait at the push service, only the newest is delivered.
        "Topic": summary.topic[:32],
        "Urgency": "normal",
    }
    try:
        response = safe_http.post(device.endpoint, body, headers)
    except safe_http.NotAllowed:
        # A name server may give a wrong address for a while.
        _failed(device, safe_http.CLOSED, days=MAX_SILENT_DAYS)
        raise ConnectionError("not allowed") from None
    except OSError:
        _failed(device, safe_http.SILENT, days=MAX_SILENT_DAYS)
        raise
    if response.is_success:
        values = {**failures.NONE, "sent_at": now()}
        Device.objects.filter(pk=device.pk).update(**values)
        if device.stopped:
            channel_status.clear(device.user, Channel.PUSH)
            refresh(device.user)
        return
    status, wait = response.status, failures.retry_after(response.retry_after, now())
    if status in GONE:
        _lose(device)
        raise PermanentFailure(status, "gone")
    if status in KEY_REFUSED and device.server_key not in ("", webpush_crypto.key_digest()):
        _failed(device, KEY, status, for_good=True)
        raise PermanentFailure(status, "not our key")
    if response.is_busy:
        _failed(device, safe_http.BUSY, status, wait=wait, days=MAX_SILENT_DAYS)
        raise failures.temporary(status, wait)
    if status in NOT_SIGNED:
        # The key is right, so our clock may be wrong for a while.
        _failed(device, SIGNATURE, status, wait=wait)
        raise failures.temporary(status, wait)
    _failed(device, REFUSED, status)
    raise PermanentFailure(status, "refused")


def _failed(
    device: Device,
    why: str,
    status: int | None = None,
    *,
    wait: timedelta | None = None,
    days: int = failures.FAILED_DAYS,
    for_good: bool = False,
) -> None:
    if failures.record(device, why, status, wait=wait, days=days, for_good=for_good):
        refresh(device.user)


def _lose(device: Device) -> None:
    """Delete a device whose subscription has ended, and warn its owner."""
    with transaction.atomic():
        device.delete()
        refresh(device.user)
    channel_status.mark_unreached(device.user, Channel.PUSH)


def _passes(view: View, instant: datetime) -> bool:
    """Whether the reader's deadline passes by `instant`."""
    deadline = view.me.deadline if isinstance(view, MatchView) and view.me else None
    return deadline is not None and deadline <= instant


def _last_ply(view: View) -> list[str]:
    """Sentences about the newest ply, as the reader saw it."""
    return narration.sentences(view) if isinstance(view, MatchView) else []
