"""Deliverability of e-mails: when the last one was sent, what bounced, when to stop sending.

An address that does not exist gets no more e-mails until its owner says that it does, and a mailbox
that is full or away is given three chances in a week. Every page tells the owner meanwhile.

Many mailboxes that a mail server refuses within an hour are a fault of ours: an hour of refusals is
taken back, and e-mails wait until something gets through.
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

CHANCES, WEEK = 3, timedelta(days=7)
# So many readers refused within an hour, and more than half of those written to, are too many.
MANY, HOUR = 5, timedelta(hours=1)

NO_SUCH = gettext_noop("The mail server says that this mailbox does not exist.")
SPAM = gettext_noop("An e-mail was reported as spam.")
AWAY = gettext_noop("E-mails bounced several times.")


class Tally:
    """Who has been written to in a batch; noted down at its end, by one statement."""

    def __init__(self) -> None:
        self._readers: set[int] = set()

    def add(self, reader: User) -> None:
        self._readers.add(reader.pk)

    def close(self) -> None:
        if not self._readers:
            return
        _note(sorted(self._readers), sent_at=now())
        self._readers.clear()


def _note(readers: Iterable[int], **what: Any) -> None:
    """Write this down for each of them, by one statement."""
    Mailbox.objects.bulk_create(
        [Mailbox(user_id=pk, **what) for pk in readers],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=list(what),
    )


def refused(reader: User, *, lasting: bool) -> bool:
    """The mail server refused the reader's mailbox; whether that counts as the mailbox's fault."""
    at = now()
    _note([reader.pk], refused_at=at)
    if _take_back_if_many(at):
        return False
    bounced(reader, NO_SUCH if lasting else AWAY, lasting=lasting, at=at)
    # Other workers may have noted theirs meanwhile, without seeing this one.
    return not _take_back_if_many(at)


def are_many_refused() -> bool:
    """Whether so many mailboxes have just been refused that it must be a fault of ours."""
    return _are_many_refused(now())


def _are_many_refused(at: datetime) -> bool:
    tried, taken = Q(refused_at__gt=at - HOUR), Q(sent_at__gt=at - HOUR)
    told = Mailbox.objects.aggregate(
        refused=Count("pk", filter=tried & ~Q(sent_at__gt=F("refused_at"))),
        written=Count("pk", filter=tried | taken),
    )
    if told["refused"] * 2 <= told["written"]:
        return False
    if told["refused"] >= MANY:
        return True
    # Once it is known, it lasts until e-mails get through: fewer readers are written to with each
    # e-mail that is no longer needed.
    return Dispatch.objects.filter(PENDING, retries.MANY_REFUSED).exists()


def _take_back_if_many(at: datetime) -> bool:
    if not _are_many_refused(at):
        return False
    # A report that came in after the refusal is no part of it.
    _forget_bounces(Mailbox.objects.filter(refused_at__gt=at - HOUR, bounced_at=F("refused_at")))
    given_up = Dispatch.objects.filter(retries.MAILBOX_REFUSED, dead_at__gt=at - HOUR)
    dispatcher.send_again(given_up)
    return True


@transaction.atomic
def _forget_bounces(boxes: QuerySet[Mailbox]) -> int:
    """Write to these again as if no e-mail had come back; how many they are."""
    locked = boxes.order_by("pk").select_for_update()
    readers = list(locked.values_list("pk", flat=True))
    if readers:
        forgotten = {"bounces": 0, "counted_since": None, "bounced_at": None, "why": ""}
        Mailbox.objects.filter(pk__in=readers).update(**forgotten)
        channel_status.found_all(readers, Channel.EMAIL)
        publishing.reschedule_all(readers)
    return len(readers)


def undecided_until(reader: User) -> datetime | None:
    """When it is clear whether a refusal of the reader's mailbox stands; None where it is by now.

    It may yet turn out to be one of many.
    """
    box = Mailbox.objects.filter(user=reader, bounced_at=F("refused_at")).first()
    until = box.refused_at + HOUR if box and box.refused_at else None
    return until if until and until > now() else None


def blame_us(reader: User, code: str) -> None:
    """A reader's e-mail came back for a reason that lies with us; `code` says for which."""
    _note([reader.pk], reported_at=now(), reported=code)


@transaction.atomic
def bounced(reader: User, why: str, *, lasting: bool, at: datetime | None = None) -> None:
    """An e-mail came back; `lasting` if another would, too."""
    at = at or now()
    Mailbox.objects.get_or_create(user=reader)
    box = Mailbox.objects.select_for_update().get(user=reader)
    recent = box.counted_since is not None and at - box.counted_since < WEEK
    box.bounces = box.bounces + 1 if recent else 1
    box.counted_since = box.counted_since if recent else at
    lost = lasting or box.bounces >= CHANCES
    box.bounced_at = at
    if lost:
        box.why = why
    box.save()
    if lost:
        channel_status.lost(reader, Channel.EMAIL)


def mailbox(reader: User) -> Mailbox:
    """What is known of the reader's mailbox."""
    return Mailbox.objects.filter(user=reader).first() or Mailbox(user=reader)


def revive_since(instant: datetime) -> int:
    """Write again to those whose e-mails have bounced since then, but for complaints; how many."""
    return _forget_bounces(Mailbox.objects.filter(bounced_at__gte=instant).exclude(why=SPAM))


def release(since: datetime, *, revive: bool) -> int:
    """The reason why mail servers blamed us is put right: forget it.

    `revive`: also write again to those whose e-mails have bounced since then; how many they are.
    """
    Mailbox.objects.filter(reported_at__isnull=False).update(reported_at=None, reported="")
    return revive_since(since) if revive else 0


def revive(reader: User) -> None:
    """The owner says that e-mails arrive: they are sent again."""
    Mailbox.objects.filter(user=reader).update(bounces=0, counted_since=None, why="")
    channel_status.found(reader, Channel.EMAIL)
