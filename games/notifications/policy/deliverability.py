"""Deliverability of e-mails: when the last one was sent, what bounced, when to stop sending.

An address that does not exist gets no more e-mails until its owner says that it does, and a mailbox
that is full or away is given three chances in a week. Every page tells the owner meanwhile.
"""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import User
from games.notifications.models import Mailbox
from games.notifications.policy import channel_status
from games.notifications.policy.kinds import Channel
from games.outbox.db_clock import now

CHANCES, WEEK = 3, timedelta(days=7)

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
        at = now()
        Mailbox.objects.bulk_create(
            [Mailbox(user_id=pk, sent_at=at) for pk in sorted(self._readers)],
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["sent_at"],
        )


@transaction.atomic
def bounced(reader: User, why: str, *, lasting: bool) -> None:
    """An e-mail came back; `lasting` if another would, too."""
    at = now()
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


def revive(reader: User) -> None:
    """The owner says that e-mails arrive: they are sent again."""
    Mailbox.objects.filter(user=reader).update(bounces=0, counted_since=None, why="")
    channel_status.found(reader, Channel.EMAIL)
