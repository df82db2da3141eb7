"""Notices on devices: each row of the outbox is one device's.

A locked screen shows them to whoever looks at it, so they tell public facts, and what happened only
to those who want it there.
"""

import json
from datetime import datetime
from hashlib import sha256

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.notices import headlines, outside, reach, rhythm, seal, wishes
from games.notices.headlines import Headline
from games.notices.kinds import KIND_OF, Channel, Detail, Kind
from games.notices.models import Device
from games.notices.occasions import Standing, reader_of, see
from games.play import narration
from games.play.sight import Look
from games.play.waiting import count_waiting
from games.relay.models import Dispatch
from games.relay.moment import now
from games.relay.once import deed
from games.relay.outbox import Batch, Later, Superseded, TurnedAway, goes_outside

LIFE = 24 * 3600  # seconds for which a push service keeps what it cannot deliver
MOST = 1000  # signs of a text
DEVICES = 10  # of one person
GONE = (404, 410)  # RFC 8030, 7.3: the subscription is no more
# RFC 8292, 4.2: the subscription is tied to another key than ours, and always will be.
NOT_OURS = (401, 403)

KEY = gettext_noop(
    "The push service does not take this server's key for the device (%(status)s). "
    "Remove it here, and add it anew there."
)


@goes_outside
def on_event(dispatch: Dispatch, batch: Batch) -> None:
    """Tell it on one device, at the end of the quiet hours if it is still so."""
    reader, device = reader_of(dispatch), _device(dispatch)
    wished, at = wishes.of(reader), dispatch.claimed_at or now()
    event = dispatch.event.partition(":")[0]
    due = rhythm.quiet_end(wished, reader.zoneinfo, at)
    seen = see(dispatch)
    if due > at and not (KIND_OF[event] == Kind.REMINDER and _passes(seen, due)):
        raise Later(due)
    with translation.override(reader.letter_language), timezone.override(reader.zoneinfo):
        headline = headlines.about(event, seen)
        text = headline.text
        if wished.push_detail == Detail.MOVE:
            text = "\n".join([*_happened(event, seen), text])
    _send(device, headline, text, count_waiting(reader))


@goes_outside
def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """Asked for: a notice to see whether notices arrive."""
    reader, device = reader_of(dispatch), _device(dispatch)
    with translation.override(reader.letter_language):
        headline = Headline(
            title=_("Notices arrive"),
            text=_("You asked for this notice, to see whether notices reach this device. They do."),
            link=headlines.absolute("/notices/"),
            topic="trial",
        )
    _send(device, headline, headline.text, count_waiting(reader))


def add(user: User, endpoint: str, p256dh: str, auth: str, name: str) -> Device:
    """Tell this browser from now on. Raises outside.NotAllowed, with a sentence."""
    outside.check(endpoint)
    try:
        seal.seal(b"?", p256dh, auth)
        seal.voucher(endpoint)
    except ValueError:
        raise outside.NotAllowed(_("The browser gave no usable key. Try once more.")) from None
    facts = {
        "user": user,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "name": name[:60],
        "added_at": now(),
        "why": "",
        "stopped": False,
    }
    with deed():
        device, _made = Device.objects.update_or_create(digest=digest(endpoint), defaults=facts)
        # The oldest of too many was forgotten by its owner long ago.
        newest = Device.objects.filter(user=user).order_by("-added_at", "-pk")
        for old in newest[DEVICES:]:
            old.delete()
        reach.found(user, Channel.PUSH)
        refresh(user)
    return device


def remove(user: User, pk: int) -> None:
    """Tell that device no more."""
    with deed():
        device = Device.objects.filter(user=user, pk=pk).first()
        if device is None:
            return
        device.delete()
        if device.stopped:
            reach.found(user, Channel.PUSH)
        refresh(user)


def refresh(user: User) -> None:
    """Write down among the wishes whether any device is told, and whether one is stopped."""
    devices = Device.objects.filter(user=user)
    wishes.set_way(user, Channel.PUSH, devices.filter(stopped=False).exists())
    if devices.filter(stopped=True).exists():
        reach.lost(user, Channel.PUSH)


def digest(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _device(dispatch: Dispatch) -> Device:
    device = Device.objects.filter(pk=dispatch.ref["device"], user=dispatch.user).first()
    if device is None or (device.stopped and not dispatch.event.startswith("trial")):
        raise Superseded
    return device


def _send(device: Device, headline: Headline, text: str, waiting: int) -> None:
    message = {
        "title": f"({waiting}) {headline.title}" if waiting > 1 else headline.title,
        "body": text[:MOST],
        "link": headline.link,
        "tag": headline.topic,
        "waiting": waiting,
    }
    body = seal.seal(json.dumps(message, ensure_ascii=False).encode(), device.p256dh, device.auth)
    headers = {
        "Authorization": seal.voucher(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(LIFE),
        # Of two that wait at the push service, the newer one alone is delivered.
        "Topic": headline.topic[:32],
        "Urgency": "normal",
    }
    try:
        status = outside.post(device.endpoint, body, headers).status
    except outside.NotAllowed:
        _lose(device)
        raise TurnedAway from None
    except OSError:
        _failed(device, outside.SILENT)
        raise
    if status in GONE:
        _lose(device)
        raise TurnedAway(status, "gone")
    if status in NOT_OURS:
        _failed(device, KEY, status, for_good=True)
        raise TurnedAway(status, "not our key")
    if not 200 <= status < 300:
        _failed(device, outside.BUSY, status)
        raise ConnectionError(status, "not taken")
    Device.objects.filter(pk=device.pk).update(sent_at=now(), why="", stopped=False)
    if device.stopped:
        reach.found(device.user, Channel.PUSH)
        refresh(device.user)


def _failed(device: Device, why: str, status: int | None = None, *, for_good: bool = False) -> None:
    with translation.override(device.user.letter_language):
        words = (_(why) % {"status": status})[:200]
    told: dict[str, object] = {"failed_at": now(), "why": words}
    if for_good:
        told["stopped"] = True
    # It may have been removed meanwhile, or stopped by another worker.
    Device.objects.filter(pk=device.pk).update(**told)
    if for_good or device.stopped:
        refresh(device.user)


def _lose(device: Device) -> None:
    """The browser has taken its address back, or the push service has."""
    with transaction.atomic():
        device.delete()
        refresh(device.user)
    reach.lost(device.user, Channel.PUSH)


def _passes(seen: Look | Standing, instant: datetime) -> bool:
    """Whether the reader's deadline is over by then."""
    deadline = seen.me.deadline if isinstance(seen, Look) and seen.me else None
    return deadline is not None and deadline <= instant


def _happened(event: str, seen: Look | Standing) -> list[str]:
    """What the ply did that this is about, as the reader saw it."""
    if isinstance(seen, Look) and event in ("turn-came", "match-over"):
        return narration.sentences(seen)
    return []
