"""Notices to addresses elsewhere, such as a Discord channel. Others read along: public facts."""

import base64
import hashlib
import hmac
import json
import re
from datetime import datetime
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.notices import headlines, outside, reach, wishes
from games.notices.headlines import Headline
from games.notices.kinds import KIND_OF, Channel
from games.notices.models import Hook, Style
from games.notices.occasions import reader_of, see
from games.play.waiting import count_waiting
from games.relay.models import Dispatch
from games.relay.moment import now
from games.relay.once import deed
from games.relay.outbox import Batch, Superseded, TurnedAway, goes_outside

HOOKS = 3  # of one person
FAILURES = 10  # in a row, after which a hook is stopped
MARKUP = re.compile(r"([\\*_~`|>#\[\]()@<:-])")

REFUSED = gettext_noop(
    "The address answered with an error (%(status)s). Check it, and add it anew."
)
MOVED = gettext_noop("The address leads on to another one. Add that other one instead.")
CLOSED = gettext_noop("The address leads into a private network, and those are not called.")


@goes_outside
def on_event(dispatch: Dispatch, batch: Batch) -> None:
    """Tell it to one address at once; a machine has no quiet hours."""
    reader, hook = reader_of(dispatch), _hook(dispatch)
    event = dispatch.event.partition(":")[0]
    seen = see(dispatch)
    with translation.override(reader.letter_language), timezone.override(reader.zoneinfo):
        headline = headlines.about(event, seen)
    _send(hook, dispatch, event, headline)


@goes_outside
def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """Asked for: a message to see whether messages arrive."""
    reader, hook = reader_of(dispatch), _hook(dispatch)
    with translation.override(reader.letter_language):
        headline = Headline(
            title=_("Notices arrive"),
            text=_("Somebody asked for this message, to see whether messages reach this place."),
            link=headlines.absolute("/"),
            topic="trial",
        )
    _send(hook, dispatch, "trial", headline)


def add(user: User, url: str, style: str) -> Hook:
    """Tell this address from now on. Raises outside.NotAllowed for one that is not called."""
    # A name may take seconds to be looked up, and nobody should wait for that behind a lock.
    outside.check(url)
    with deed():
        # Of two that are added at once, the second counts the first.
        User.objects.select_for_update().get(pk=user.pk)
        if Hook.objects.filter(user=user).count() >= HOOKS:
            raise outside.NotAllowed(
                _("You have %(number)d webhooks. Remove one before you add another.")
                % {"number": HOOKS}
            )
        hook = Hook.objects.create(user=user, url=url, style=style, added_at=now())
        refresh(user)
    return hook


def remove(user: User, pk: int) -> None:
    """Tell that address no more."""
    with deed():
        Hook.objects.filter(user=user, pk=pk).delete()
        refresh(user)


def refresh(user: User) -> None:
    """Write down among the wishes whether any address is told, and whether one is stopped."""
    hooks = Hook.objects.filter(user=user)
    wishes.set_way(user, Channel.WEBHOOK, hooks.filter(stopped=False).exists())
    (reach.lost if hooks.filter(stopped=True).exists() else reach.found)(user, Channel.WEBHOOK)


def signature(secret: str, identity: str, at: int, body: bytes) -> str:
    """As Standard Webhooks wants it: HMAC-SHA256 over identity, instant and body."""
    signed = f"{identity}.{at}.".encode() + body
    digest = hmac.new(bytes.fromhex(secret), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def shown_secret(hook: Hook) -> str:
    """The key as libraries for Standard Webhooks take it."""
    return "whsec_" + base64.b64encode(bytes.fromhex(hook.secret)).decode()


def _hook(dispatch: Dispatch) -> Hook:
    hook = Hook.objects.filter(pk=dispatch.ref["hook"], user=dispatch.user).first()
    if hook is None or (hook.stopped and not dispatch.event.startswith("trial")):
        raise Superseded
    return hook


def _send(hook: Hook, dispatch: Dispatch, event: str, headline: Headline) -> None:
    at = now()
    facts = _facts(hook, event, headline, at)
    body = json.dumps(facts, ensure_ascii=False).encode()
    # The same for every attempt, so that the far side can tell a second one.
    identity = dispatch.message_id.strip("<>")
    seconds = int(at.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Estafette",
        "webhook-id": identity,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signature(hook.secret, identity, seconds, body),
    }
    try:
        status = outside.post(hook.url, body, headers).status
    except outside.NotAllowed:
        _failed(hook, CLOSED, for_good=True)
        raise TurnedAway from None
    except OSError:
        _failed(hook, outside.SILENT)
        raise
    if 200 <= status < 300:
        Hook.objects.filter(pk=hook.pk).update(sent_at=now(), failures=0, why="", stopped=False)
        if hook.stopped:
            refresh(hook.user)
    elif status == 429 or status >= 500:
        _failed(hook, outside.BUSY, status)
        raise ConnectionError(status, "not taken")
    else:
        _failed(hook, MOVED if 300 <= status < 400 else REFUSED, status, for_good=True)
        raise TurnedAway(status, "refused")


def _facts(hook: Hook, event: str, headline: Headline, at: datetime) -> dict[str, Any]:
    if hook.style == Style.DISCORD:
        lines = [f"**{_plain(headline.title)}**", _plain(headline.text), f"<{headline.link}>"]
        # Whatever a handle looks like, it calls nobody.
        return {"content": "\n".join(lines), "allowed_mentions": {"parse": []}}
    return {
        "type": event,
        "kind": KIND_OF.get(event, event),
        "timestamp": at.isoformat(timespec="seconds"),
        "player": hook.user.username,
        "title": headline.title,
        "text": headline.text,
        "link": headline.link,
        "match": headline.match,
        "deadline": headline.deadline and headline.deadline.isoformat(timespec="seconds"),
        "waiting": count_waiting(hook.user),
    }


def _plain(text: str) -> str:
    """Text that Discord shows as it is written."""
    return MARKUP.sub(r"\\\1", text)


def _failed(hook: Hook, why: str, status: int | None = None, *, for_good: bool = False) -> None:
    hook.failures += 1
    hook.failed_at = now()
    with translation.override(hook.user.letter_language):
        hook.why = (_(why) % {"status": status})[:200]
    hook.stopped = hook.stopped or for_good or hook.failures >= FAILURES
    hook.save(update_fields=["failures", "failed_at", "why", "stopped"])
    if hook.stopped:
        refresh(hook.user)
