"""Deliverability of e-mails: the state of each reader's mailbox, and when to stop sending.

A mailbox that does not exist gets no more e-mails until its owner confirms it; another one, such as
a full one, may bounce e-mails on three days of a week. Every page then shows a warning.

If many mailboxes are refused within an hour, the fault is ours: the bounces of that hour are
cleared, and e-mails are retried until some get through.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext_noop

from accounts.models import User
from games.notifications.models import Mailbox
from games.notifications.policy import channel_status
from games.notifications.policy.kinds import Channel
from games.outbox import publishing
from games.outbox.delivery import dispatcher, retries
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import now

# Bounces within a week that stop e-mails. At most one a day counts: a mailbox that is full for an
# hour may bounce any number of e-mails.
MAX_BOUNCES, DAY, WEEK = 3, timedelta(days=1), timedelta(days=7)
# Readers refused within an hour that count as many, if they are over half of those written to.
MANY, HOUR = 5, timedelta(hours=1)

NO_SUCH = gettext_noop("The mail server says that this mailbox does not exist.")
SPAM = gettext_noop("An e-mail was reported as spam.")
AWAY = gettext_noop("E-mails bounced several times.")


class Tally:
    """The readers who got an e-mail in a batch; `close` stores them by one statement."""

    def __init__(self) -> None:
        self._readers: set[int] = set()

    def add(self, reader: User) -> None:
        self._readers.add(reader.pk)

    def close(self) -> None:
        if not self._readers:
            return
        _update(sorted(self._readers), sent_at=now())
        self._readers.clear()


def _update(readers: Iterable[int], **values: Any) -> None:
    """Set these columns of the readers' mailboxes, by one statement."""
    Mailbox.objects.bulk_create(
        [Mailbox(user_id=pk, **values) for pk in readers],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=list(values),
    )


def refused(reader: User, *, lasting: bool) -> bool:
    """Record that the mail server refused the reader's mailbox.

    Returns whether it counts as a bounce; False if it is one of many and thus our fault.
    """
    at = now()
    _update([reader.pk], refused_at=at)
    if _take_back_if_many(at):
        return False
    bounced(reader, NO_SUCH if lasting else AWAY, lasting=lasting, at=at)
    # Other workers may have recorded refusals meanwhile, without seeing this one.
    return not _take_back_if_many(at)


def are_many_refused() -> bool:
    """Whether so many mailboxes were refused within the last hour that it must be our fault."""
    return _are_many_refused(now())


def _are_many_refused(at: datetime) -> bool:
    refused, accepted = Q(refused_at__gt=at - HOUR), Q(sent_at__gt=at - HOUR)
    counts = Mailbox.objects.aggregate(
        refused=Count("pk", filter=refused & ~Q(sent_at__gt=F("refused_at"))),
        written=Count("pk", filter=refused | accepted),
    )
    if counts["refused"] * 2 <= counts["written"]:
        return False
    if counts["refused"] >= MANY:
        return True
    # It lasts until e-mails get through, even if superseded e-mails leave fewer readers than MANY.
    return Dispatch.objects.filter(PENDING, retries.MANY_REFUSED).exists()


def _take_back_if_many(at: datetime) -> bool:
    if not _are_many_refused(at):
        return False
    # Not bounces that were reported after the refusal.
    _forget_bounces(Mailbox.objects.filter(refused_at__gt=at - HOUR, bounced_at=F("refused_at")))
    given_up = Dispatch.objects.filter(retries.MAILBOX_REFUSED, dead_at__gt=at - HOUR)
    dispatcher.send_again(given_up)
    return True


@transaction.atomic
def _forget_bounces(boxes: QuerySet[Mailbox]) -> int:
    """Clear the bounces of these mailboxes. Returns their number."""
    locked = boxes.order_by("pk").select_for_update()
    readers = list(locked.values_list("pk", flat=True))
    if readers:
        forgotten = {"bounces": 0, "counted_since": None, "bounced_at": None, "why": ""}
        Mailbox.objects.filter(pk__in=readers).update(**forgotten)
        channel_status.clear_all(readers, Channel.EMAIL)
        publishing.reschedule_all(readers)
    return len(readers)


def undecided_until(reader: User) -> datetime | None:
    """Until when the refusal of a reader's mailbox may prove to be one of many; None if settled."""
    box = Mailbox.objects.filter(user=reader, bounced_at=F("refused_at")).first()
    until = box.refused_at + HOUR if box and box.refused_at else None
    return until if until and until > now() else None


def record_own_fault(reader: User, code: str) -> None:
    """Record that an e-mail to the reader bounced by our fault, with its status code."""
    _update([reader.pk], reported_at=now(), reported=code)


@transaction.atomic
def bounced(reader: User, why: str, *, lasting: bool, at: datetime | None = None) -> None:
    """Record a bounce, with the sentence `why`; `lasting` stops e-mails at once."""
    at = at or now()
    Mailbox.objects.get_or_create(user=reader)
    box = Mailbox.objects.select_for_update().get(user=reader)
    if box.counted_since is None or not box.bounces or at - box.counted_since >= WEEK:
        box.bounces, box.counted_since = 1, at
    elif at - box.counted_since >= box.bounces * DAY:
        box.bounces += 1
    is_unreached = lasting or box.bounces >= MAX_BOUNCES
    box.bounced_at = at
    if is_unreached:
        box.why = why
    box.save()
    if is_unreached:
        channel_status.mark_unreached(reader, Channel.EMAIL)


def mailbox(reader: User) -> Mailbox:
    """The reader's mailbox; an unsaved one if nothing is known of it."""
    return Mailbox.objects.filter(user=reader).first() or Mailbox(user=reader)


def revive_since(instant: datetime) -> int:
    """Clear the bounces since `instant`, except complaints. Returns the number of mailboxes."""
    return _forget_bounces(Mailbox.objects.filter(bounced_at__gte=instant).exclude(why=SPAM))


def release(since: datetime, *, revive: bool) -> int:
    """Clear reports of our own faults, once an administrator has fixed the cause.

    With `revive`, also clear the bounces since `since`. Returns the number of those mailboxes.
    """
    Mailbox.objects.filter(reported_at__isnull=False).update(reported_at=None, reported="")
    return revive_since(since) if revive else 0


def has_complained(reader: User) -> bool:
    """Whether the reader's e-mails are stopped because one was reported as spam."""
    return mailbox(reader).why == SPAM


def revive(reader: User) -> None:
    """Send e-mails to this reader again: they say that their mailbox works."""
    Mailbox.objects.filter(user=reader).update(bounces=0, counted_since=None, why="")
    channel_status.clear(reader, Channel.EMAIL)
    publishing.reschedule(reader)
