"""Worker: claims waiting messages and processes them one by one.

The effects of a message, its outcome and its receipt are written in one transaction. So if a worker
is killed, nothing is done, and the next worker processes the message once.
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
from games.mail.answering import admin_alerts, receipt_limits
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.answering.triage import (
    Decision,
    ReceivedMessage,
    triage_header,
    triage_reply,
    triage_service_message,
)
from games.mail.authentication.dns_lookups import DnsUnavailable
from games.mail.authentication.sender_status import has_valid_signature
from games.mail.events import MessageAnswered
from games.mail.models import LEASE, UNPROCESSED, IncomingMessage, MessageOutcome, RecipientKind
from games.mail.reading.child.client import ReaderLost, read_in_child
from games.mail.reading.parsed_message import ParsedMessage, parse_header
from games.notifications.email.replies import reply_addresses
from games.notifications.email.sending.bounces import receive_bounce
from games.outbox import publishing
from games.outbox.events import people
from lib import log_context
from lib.db_clock import now

log = logging.getLogger(__name__)

MAX_RUN_SECONDS = 30.0  # the Celery worker has other tasks
MAX_ATTEMPTS = 5  # then a message is given up, but kept
PAUSE = timedelta(seconds=20)  # after a failed attempt
DNS_BACKOFF = 4  # factor of the pause while DNS is unavailable: 28 minutes in all

# A reply address is known to its player alone; anybody may write to the others.
CLAIMED_IN_ORDER = (RecipientKind.REPLY, RecipientKind.SERVICE, RecipientKind.BOUNCE)

# A second loop in the same process would only wait for the parser process, and block a thread that
# deadlines need. So it sets a flag, and the running loop runs once more.
_running = threading.Lock()
_run_again = threading.Event()


def process_waiting(seconds: float = MAX_RUN_SECONDS) -> int:
    """Process waiting messages, oldest first; returns their number."""
    until, count = time.monotonic() + seconds, 0
    _run_again.set()
    while _run_again.is_set() and time.monotonic() < until and _running.acquire(blocking=False):
        try:
            _run_again.clear()
            count += _process_all(until)
        finally:
            _running.release()
    return count


def _process_all(until: float) -> int:
    count = 0
    while time.monotonic() < until and (row := claim()):
        count += 1
        try:
            with log_context.bound(request_id=row.cause):
                process(row)
        except ReaderLost:
            log.error("Nobody could read message %s; it is tried again.", row.pk)
            _put_off(row, attempts=row.attempts - 1)
        except DnsUnavailable:
            log.warning("No DNS server knew about message %s; it is tried again.", row.pk)
            _put_off(row, PAUSE * DNS_BACKOFF ** (row.attempts - 1))
        except Exception as error:
            # The exception text may quote the message.
            log.error("Message %s could not be dealt with (%s).", row.pk, type(error).__name__)
            _put_off(row)
    return count


def claim() -> IncomingMessage | None:
    """Lease the oldest waiting message of a player, then of others; None if there is none."""
    at = now()
    free = IncomingMessage.objects.filter(
        UNPROCESSED, Q(lease_until__isnull=True) | Q(lease_until__lte=at)
    )
    # Usually nothing waits, and checking that needs no lock.
    if not free.exists():
        return None
    with transaction.atomic():
        oldest = free.order_by("pk").select_for_update(skip_locked=True)
        each = (oldest.filter(door=kind).first() for kind in CLAIMED_IN_ORDER)
        row = next(filter(None, each), None)
        if row is None:
            return None
        row.lease_until, row.attempts = at + LEASE, row.attempts + 1
        row.save(update_fields=["lease_until", "attempts"])
    return row


def process(row: IncomingMessage) -> None:
    """Process a claimed message: parse it, carry out its commands, and post its receipt."""
    if row.attempts > MAX_ATTEMPTS:
        log.error("Message %s is given up.", row.pk)
        _close(
            row, None, Decision(None, None, "it could not be dealt with"), MessageOutcome.UNREADABLE
        )
        return
    envelope, raw = sealing.open_message(row)
    # Parsing may take long, and makes DNS lookups, so it comes before the transaction.
    message = None if row.door == RecipientKind.BOUNCE else _parsed(row, envelope["sender"], raw)
    with transaction.atomic():
        if not _lock(row):
            return
        if message is None:
            decision = Decision(None, None, f"bounce: {receive_bounce(raw, envelope['recipient'])}")
        elif isinstance(message, Decision):
            decision = message
        else:
            decision = _triage(row, message._replace(at=now()))
        _close(row, decision.user, decision)


def _parsed(row: IncomingMessage, sender: str | None, raw: bytes) -> ReceivedMessage | Decision:
    """The parsed message, or the decision to drop it, for which the header is enough."""
    head = parse_header(raw)
    message = ReceivedMessage(
        head, sender, row.arrived_at, now(), row.way_in, _is_dkim_verified(row, head, raw)
    )
    if dropped := triage_header(message, row.door):
        return dropped
    return message._replace(parsed=read_in_child(raw, vocabulary(), settings.MAIL_MAX_BYTES))


def _is_dkim_verified(row: IncomingMessage, head: ParsedMessage, raw: bytes) -> bool:
    try:
        return has_valid_signature(head, raw, row.way_in)
    except DnsUnavailable:
        if row.attempts < MAX_ATTEMPTS:
            raise
        # After half an hour the message counts as unauthenticated, and the player is asked.
        return False


def _triage(row: IncomingMessage, message: ReceivedMessage) -> Decision:
    if row.door == RecipientKind.SERVICE:
        return triage_service_message(message)
    address = reply_addresses.lock(row.address or 0)
    if address is None:
        return Decision(None, None, "its address is gone")
    return triage_reply(message, address)


def _lock(row: IncomingMessage) -> bool:
    """Lock the row; False if it was processed or its lease went to another worker."""
    rows = IncomingMessage.objects.select_for_update().filter(UNPROCESSED, pk=row.pk)
    return bool(rows.filter(lease_until=row.lease_until).values_list("pk"))


def _close(
    row: IncomingMessage,
    user: User | None,
    decision: Decision,
    outcome: MessageOutcome = MessageOutcome.NONE,
) -> None:
    """Store the outcome of a message, and post its receipt if it has one."""
    answer, at = decision.answer, now()
    changes: dict[str, object] = {"why": decision.why, "lease_until": None, "done_at": at}
    answered = False
    if answer is not None and user is not None:
        outcome = answer.outcome
        if outcome != MessageOutcome.CONFIRM:
            presence.mark_present(user)
        answered, answer = receipt_limits.apply_limits(row, user, answer, at)
        changes |= {"receipt": sealing.seal_json(answer.as_json(), "receipt", row.key)}
        changes |= {"overtaken": answer.overtaken}
        if answer.overtaken:
            admin_alerts.alert_admins(row, answer)
    elif row.door == RecipientKind.SERVICE and user is None:
        # Anybody may write to that address; messages of strangers are not kept.
        changes |= {"sealed": sealing.seal_message(b"", row.key)}
    if user is not None:
        changes |= {"user": user}
    changes |= {"outcome": outcome, "answered": answered}
    with transaction.atomic():
        IncomingMessage.objects.filter(pk=row.pk).update(**changes)
        if answered and user is not None:
            publishing.publish(MessageAnswered(message=row.pk, people=people([user])))


def _put_off(row: IncomingMessage, pause: timedelta = PAUSE, **changes: int) -> None:
    """Extend the lease by a pause, after which the message is tried again."""
    try:
        leased = IncomingMessage.objects.filter(UNPROCESSED, pk=row.pk, lease_until=row.lease_until)
        leased.update(lease_until=now() + pause, **changes)
    except Exception as error:
        log.error("Message %s keeps its lease (%s).", row.pk, type(error).__name__)
