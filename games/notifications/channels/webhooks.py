"""Webhook channel: notifications to URLs of other services, such as a Discord channel.

Other people may read them there, so they contain public facts only.
"""

import base64
import hashlib
import hmac
import json
import re
import socket
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.notifications import catalogue
from games.notifications.channels import failures, offers_with_turn, safe_http
from games.notifications.models import Style, Webhook
from games.notifications.policy import channel_status, preferences, summaries
from games.notifications.policy.kinds import Channel
from games.notifications.policy.localization import localized
from games.notifications.policy.relevance import reader_of, supersede_unless
from games.notifications.policy.summaries import Summary
from games.outbox.handling import Batch, PermanentFailure, Superseded, calls_external_address
from games.outbox.models import Dispatch, Reason
from games.play.lists.waiting import count_waiting
from games.play.record.match_view import MatchView
from games.play.record.proofs import signing
from games.play.record.proofs.signing import SignedHead
from lib.db_clock import now

MAX_WEBHOOKS = 3  # per user
GONE = 410  # the receiver asks for no more messages, as Standard Webhooks says
# What refuses this message alone. Sending it again would change nothing.
MESSAGE_REFUSED = (400, 413, 414, 415, 422)
MARKUP = re.compile(r"([\\*_~`|>#\[\]()@<:-])")

REFUSED = gettext_noop("The address returned an error (%(status)s). Check whether it is right.")
REJECTED = gettext_noop("The address rejected a message (%(status)s).")
ENDED = gettext_noop("The address says that it is no longer in use (%(status)s). Add another one.")
MOVED = gettext_noop("The address redirects to another one. Add that one instead.")


@calls_external_address
def on_event(dispatch: Dispatch, batch: Batch) -> None:
    """Send a notification to one webhook at once; webhooks ignore quiet hours."""
    notification = catalogue.find(dispatch.event)
    reader, webhook = reader_of(dispatch), _webhook(dispatch)
    supersede_unless(not webhook.stopped, Reason.NO_CHANNEL)
    failures.wait_until_asked(webhook, dispatch.claimed_at or now())
    view = notification.require_view(dispatch)
    offers_with_turn.supersede_if_reported(dispatch, view)
    with localized(reader):
        summary = summaries.about(notification, view)
        text = " ".join([*offers_with_turn.sentences(dispatch, view), summary.text])
    head = signing.shown_head(view) if isinstance(view, MatchView) else None
    _send(webhook, dispatch, notification.kind, replace(summary, text=text), head)


@calls_external_address
def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """Send a test that the reader asked for to one webhook."""
    reader, webhook = reader_of(dispatch), _webhook(dispatch)
    failures.wait_until_asked(webhook, dispatch.claimed_at or now())
    with localized(reader):
        summary = Summary(
            title=_("Notifications work"),
            text=_(
                "Somebody asked for this test message, to see whether notifications arrive here."
            ),
            link=summaries.absolute_url("/"),
            topic="trial",
        )
    _send(webhook, dispatch, "trial", summary)


def add(user: User, url: str, style: str) -> Webhook:
    """Add a webhook. Raises safe_http.NotAllowed, with a sentence."""
    safe_http.check(url)
    with command_transaction():
        # A lock, so that two webhooks added at once cannot exceed the limit.
        User.objects.select_for_update().get(pk=user.pk)
        if Webhook.objects.filter(user=user).count() >= MAX_WEBHOOKS:
            raise safe_http.NotAllowed(
                _(
                    "You have %(number)d webhooks, which is the limit. Remove one before you "
                    "add another."
                )
                % {"number": MAX_WEBHOOKS}
            )
        webhook = Webhook.objects.create(user=user, url=url, style=style, added_at=now())
        refresh(user)
    return webhook


def remove(user: User, pk: int) -> None:
    """Delete one of the user's webhooks."""
    with command_transaction():
        Webhook.objects.filter(user=user, pk=pk).delete()
        refresh(user)


def refresh(user: User) -> None:
    """Store whether the user has an active webhook, and whether one is stopped."""
    owned = Webhook.objects.filter(user=user)
    preferences.set_channel(user, Channel.WEBHOOK, owned.filter(stopped=False).exists())
    (
        channel_status.mark_unreached
        if owned.filter(stopped=True).exists()
        else channel_status.clear
    )(user, Channel.WEBHOOK)


def signature(secret: str, identity: str, at: int, body: bytes) -> str:
    """The signature of Standard Webhooks: HMAC-SHA256 over id, timestamp (Unix) and body."""
    signed = f"{identity}.{at}.".encode() + body
    digest = hmac.new(bytes.fromhex(secret), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def shown_secret(webhook: Webhook) -> str:
    """The key in the format of Standard Webhooks libraries."""
    return "whsec_" + base64.b64encode(bytes.fromhex(webhook.secret)).decode()


def _webhook(dispatch: Dispatch) -> Webhook:
    webhook = Webhook.objects.filter(pk=dispatch.ref["webhook"], user=dispatch.user).first()
    if webhook is None:
        raise Superseded(Reason.NO_CHANNEL)
    return webhook


def _send(
    webhook: Webhook,
    dispatch: Dispatch,
    kind: str,
    summary: Summary,
    head: SignedHead | None = None,
) -> None:
    at = now()
    payload = _payload(webhook, dispatch.event, kind, summary, at)
    if webhook.style != Style.DISCORD:
        payload["proof"] = head and head._asdict()
    body = json.dumps(payload, ensure_ascii=False).encode()
    # The same for every attempt, so that the receiver can detect duplicates.
    identity = dispatch.message_id.strip("<>")
    seconds = int(at.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Estafette",
        "webhook-id": identity,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signature(webhook.secret, identity, seconds, body),
    }
    try:
        response = safe_http.post(webhook.url, body, headers)
    except safe_http.NotAllowed:
        # A name server may give a wrong address for a while.
        _failed(webhook, safe_http.CLOSED)
        raise ConnectionError("not allowed") from None
    except OSError as error:
        unknown = isinstance(error, socket.gaierror)
        _failed(webhook, safe_http.UNKNOWN if unknown else safe_http.SILENT)
        raise
    if response.is_success:
        values = {**failures.NONE, "sent_at": now()}
        Webhook.objects.filter(pk=webhook.pk).update(**values)
        if webhook.stopped:
            refresh(webhook.user)
        return
    status, wait = response.status, failures.retry_after(response.retry_after, now())
    if status == GONE:
        _failed(webhook, ENDED, status, for_good=True)
        raise PermanentFailure(status, "gone")
    if status in MESSAGE_REFUSED:
        _failed(webhook, REJECTED, status)
        raise PermanentFailure(status, "refused")
    why = MOVED if 300 <= status < 400 else REFUSED
    _failed(webhook, safe_http.BUSY if response.is_busy else why, status, wait=wait)
    raise failures.temporary(status, wait)


def _failed(
    webhook: Webhook,
    why: str,
    status: int | None = None,
    *,
    wait: timedelta | None = None,
    for_good: bool = False,
) -> None:
    if failures.record(webhook, why, status, wait=wait, for_good=for_good):
        refresh(webhook.user)


def _payload(
    webhook: Webhook, event: str, kind: str, summary: Summary, at: datetime
) -> dict[str, Any]:
    if webhook.style == Style.DISCORD:
        lines = [f"**{_plain(summary.title)}**", _plain(summary.text), f"<{summary.link}>"]
        # A username that looks like a mention must not mention anybody.
        return {"content": "\n".join(lines), "allowed_mentions": {"parse": []}}
    return {
        "type": event,
        "kind": kind,
        "timestamp": at.isoformat(timespec="seconds"),
        "player": webhook.user.username,
        "title": summary.title,
        "text": summary.text,
        "link": summary.link,
        "match": summary.match,
        "deadline": summary.deadline and summary.deadline.isoformat(timespec="seconds"),
        "waiting": count_waiting(webhook.user),
    }


def _plain(text: str) -> str:
    """Escape the text for Discord's markup."""
    return MARKUP.sub(r"\\\1", text)
