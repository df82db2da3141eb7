"""Worker: messages that wait are claimed, read, judged and answered, one after the other.

What a message asks for, what became of it and its receipt are written in one transaction. So a
worker that is killed in between has done nothing, and the next one does it once.
"""

from __future__ import annotations

import logging
import threading
import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from accounts.people import presence
from games.mail import sealing
from games.mail.answering import limits, overtaken
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.answering.judging import Post, Verdict, judge_post, judge_reply
from games.mail.authentication.dns import DnsAway
from games.mail.authentication.sender import is_signed
from games.mail.events import MessageAnswered
from games.mail.models import LEASE, UNPROCESSED, Door, IncomingMessage, MessageOutcome
from games.mail.reading.child.client import ReaderLost, read_in_child
from games.mail.reading.message import Reading
from games.notifications.email.sending.bounces import receive_bounce
from games.notifications.models import ReplyAddress
from games.outbox import publishing
from lib.db_clock import now

log = logging.getLogger(__name__)

SHARE_SECONDS = 30.0  # of a run; the worker has other tasks
MAX_ATTEMPTS = 5  # after which a message is given up, and kept
PAUSE = timedelta(seconds=20)  # after an attempt that failed
DNS_PATIENCE = 4  # the pause grows by it each time that DNS is away: 28 minutes in all

# Within one process a second one would only wait for the first one's reader, and keep a thread from
# the deadlines. It sets a flag, so that the running one loops once more.
_at_work = threading.Lock()
_again = threading.Event()


def work(seconds: float = SHARE_SECONDS) -> int:
    """Deal with what waits, the oldest first; how many messages."""
    until, count = time.monotonic() + seconds, 0
    _again.set()
    while _again.is_set() and time.monotonic() < until and _at_work.acquire(blocking=False):
        try:
            _again.clear()
            count += _deal_with_all(until)
        finally:
            _at_work.release()
    return count


def _deal_with_all(until: float) -> int:
    count = 0
    while time.monotonic() < until and (row := claim()):
        count += 1
        try:
            deal_with(row)
        except ReaderLost:
            log.error("Nobody could read message %s; it is tried again.", row.pk)
            _put_off(row, attempts=row.attempts - 1)
        except DnsAway:
            log.warning("No DNS server knew about message %s; it is tried again.", row.pk)
            _put_off(row, PAUSE * DNS_PATIENCE ** (row.attempts - 1))
        except Exception as error:
            # Its words may quote the message.
            log.error("Message %s could not be dealt with (%s).", row.pk, type(error).__name__)
            _put_off(row)
    return count


def claim() -> IncomingMessage | None:
    """Lease the oldest message that waits; nobody else gets it meanwhile."""
    at = now()
    free = IncomingMessage.objects.filter(
        UNPROCESSED, Q(lease_until__isnull=True) | Q(lease_until__lte=at)
    )
    # Mostly nothing waits, and to see that needs no lock.
    if not free.exists():
        return None
    with transaction.atomic():
        row = free.order_by("pk").select_for_update(skip_locked=True).first()
        if row is None:
            return None
        row.lease_until, row.attempts = at + LEASE, row.attempts + 1
        row.save(update_fields=["lease_until", "attempts"])
    return row


def deal_with(row: IncomingMessage) -> None:
    """Read a message that was claimed, do what it asks for, and have its receipt sent."""
    if row.attempts > MAX_ATTEMPTS:
        log.error("Message %s is given up.", row.pk)
        _close(
            row, None, Verdict(None, None, "it could not be dealt with"), MessageOutcome.UNREADABLE
        )
        return
    envelope = sealing.unseal_facts(row.envelope, "envelope", row.key)
    raw = sealing.unseal_message(row.sealed, row.key)
    reading = (
        None
        if row.door == Door.BOUNCE
        else read_in_child(raw, vocabulary(), settings.MAIL_MAX_BYTES)
    )
    # Others are asked for it, and so it comes before the transaction.
    signed = reading is not None and _is_signed(row, reading, raw)
    with transaction.atomic():
        if not _is_mine(row):
            return
        if reading is None:
            verdict = Verdict(None, None, f"bounce: {receive_bounce(raw, envelope['recipient'])}")
        else:
            post = Post(reading, envelope["sender"], row.arrived_at, now(), signed)
            verdict = _judge(row, post)
        _close(row, verdict.user, verdict)


def _is_signed(row: IncomingMessage, reading: Reading, raw: bytes) -> bool:
    try:
        return is_signed(reading, raw)
    except DnsAway:
        if row.attempts < MAX_ATTEMPTS:
            raise
        # Half an hour later it is not proved, and its player is asked.
        return False


def _judge(row: IncomingMessage, post: Post) -> Verdict:
    if row.door == Door.POST:
        return judge_post(post)
    address = ReplyAddress.objects.select_related("user").filter(pk=row.address or 0).first()
    if address is None:
        return Verdict(None, None, "its address is gone")
    return judge_reply(post, address)


def _is_mine(row: IncomingMessage) -> bool:
    """Lock the row, unless it was dealt with or its lease has run out."""
    rows = IncomingMessage.objects.select_for_update().filter(UNPROCESSED, pk=row.pk)
    return bool(rows.filter(lease_until=row.lease_until).values_list("pk"))


def _close(
    row: IncomingMessage,
    user: User | None,
    verdict: Verdict,
    outcome: MessageOutcome = MessageOutcome.NONE,
) -> None:
    """Write what became of a message, and have its receipt sent if it has one."""
    answer, at = verdict.answer, now()
    facts: dict[str, object] = {"why": verdict.why, "lease_until": None, "done_at": at}
    answered = False
    if answer is not None and user is not None:
        outcome = answer.outcome
        if outcome != MessageOutcome.CONFIRM:
            presence.mark_present(user)
        answered, answer = limits.admit(row, user, answer, at)
        facts |= {"receipt": sealing.seal_facts(answer.facts(), "receipt", row.key)}
        facts |= {"overtaken": answer.overtaken}
        if answer.overtaken:
            overtaken.warn_admins(row, answer)
    elif row.door == Door.POST and user is None:
        # Anybody may write to that address; what a stranger wrote is nothing to be kept.
        facts |= {"sealed": sealing.seal_message(b"", row.key)}
    if user is not None:
        facts |= {"user": user}
    facts |= {"outcome": outcome, "answered": answered}
    with transaction.atomic():
        IncomingMessage.objects.filter(pk=row.pk).update(**facts)
        if answered:
            publishing.publish(MessageAnswered(message=row.pk))


def _put_off(row: IncomingMessage, pause: timedelta = PAUSE, **facts: int) -> None:
    try:
        mine = IncomingMessage.objects.filter(UNPROCESSED, pk=row.pk, lease_until=row.lease_until)
        mine.update(lease_until=now() + pause, **facts)
    except Exception as error:
        log.error("Message %s keeps its lease (%s).", row.pk, type(error).__name__)
