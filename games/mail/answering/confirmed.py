"""Confirmed messages: what their player is shown on the site, and done once they say so."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.mail import sealing
from games.mail.answering.actions import choosing
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import IncomingMessage, MessageOutcome
from games.mail.reading.child.client import read_in_child
from games.mail.reading.message import Reading
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import Standing
from games.notifications.models import ReplyAddress
from lib.db_clock import now


class Question(NamedTuple):
    """A message that waits to be confirmed, as its player is shown it."""

    row: IncomingMessage
    address: ReplyAddress
    reading: Reading

    @property
    def commands(self) -> list[str]:
        """What it asks for."""
        return list(dict.fromkeys(map(choosing.described, self.reading.commands)))


def find(user: User, message_id: int) -> Question | None:
    """The message of that number, if it waits for this player's word."""
    rows = IncomingMessage.objects.filter(pk=message_id, user=user, outcome=MessageOutcome.CONFIRM)
    row = rows.first()
    if row is None:
        return None
    addresses = ReplyAddress.objects.select_related("user")
    address = addresses.filter(pk=row.address or 0).first()
    if address is None or reply_addresses.standing(address, now()) is Standing.CLOSED:
        return None
    raw = sealing.unseal_message(row.sealed, row.key)
    return Question(row, address, read_in_child(raw, vocabulary(), settings.MAIL_MAX_BYTES))


def act(question: Question, waited: timedelta) -> Answer | None:
    """Do what the message asks for, as of now; None if it was done meanwhile, or asks nothing.

    The click counts and not the message: anybody could have written that in time.
    """
    row, reading = question.row, question.reading
    with command_transaction(), transaction.atomic():
        waiting = IncomingMessage.objects.select_for_update().filter(
            pk=row.pk, outcome=MessageOutcome.CONFIRM
        )
        if not waiting.values_list("pk"):
            return None
        at = now()
        case = Case.of(
            question.address,
            arrived=at - waited,
            now=at,
            proposal=reply_addresses.proposal(question.address),
            own_lines=reading.own or reading.html_own,
        )
        if reading.conflict:
            answer: Answer | None = choosing.ambiguous(case, reading.commands)
        else:
            answer = choosing.act(case, reading.commands)
        outcome = MessageOutcome.UNREAD if answer is None else answer.outcome
        IncomingMessage.objects.filter(pk=row.pk).update(
            outcome=outcome, why="confirmed on the site"
        )
    return answer
