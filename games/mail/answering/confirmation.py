"""Confirmation: an unauthenticated message waits until its player confirms it on the site."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.mail import sealing
from games.mail.answering.actions import dispatch
from games.mail.answering.answer import Answer
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.answering.message_context import MessageContext
from games.mail.authentication.sender_status import SenderStatus
from games.mail.models import IncomingMessage, MessageOutcome
from games.mail.reading.child.client import read_in_child
from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.words_to_opponent import BREAK, WRAPPED
from games.mail.reading.parsed_message import ParsedMessage
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.answer_words import in_marks
from games.notifications.email.replies.reply_addresses import Standing
from games.notifications.models import ReplyAddress
from lib.db_clock import now


class Asked(NamedTuple):
    """A command: what it does, the words that it stores or sends, the rows that it sets up."""

    title: str
    words: str = ""
    rows: str = ""


class Question(NamedTuple):
    """A message that waits for confirmation, as the page shows it."""

    row: IncomingMessage
    address: ReplyAddress
    parsed: ParsedMessage

    @property
    def commands(self) -> list[Asked]:
        """What its commands ask for, with everything that they would store or send."""
        return list(dict.fromkeys(map(_asked, self.parsed.commands)))

    @property
    def senders(self) -> str:
        """The addresses that it names as its sender, with commas; "" if there are none."""
        return pgettext("between the words of a list", ", ").join(self.parsed.from_addresses)

    @property
    def is_wanted(self) -> bool:
        """Whether the player wrote it, and has chosen to confirm everything on the site."""
        return bool(self.row.why == SenderStatus.CONFIRMATION_WANTED.value)


def _asked(command: Command) -> Asked:
    """A command with its text, which receipts leave out."""
    title, words, rows = dispatch.described(command), "", ""
    if command.verb is Verb.IF:
        title = in_marks(command.argument)
    elif command.verb in dispatch.ASIDES:
        words = re.sub(f"[{BREAK}{WRAPPED}]", "\n", command.argument)
    elif command.verb is Verb.SETUP:
        numbers = command.row_numbers or ("",) * len(command.rows)
        drawn = zip(numbers, command.rows, strict=True)
        rows = "\n".join(f"{number!s:>2} {row}".rstrip() for number, row in drawn)
        words = command.argument or ", ".join(command.squares)
    if command.match is not None:
        of_match = _("Match %(number)s:") % {"number": command.match}
        title = f"{of_match} {title}"
    return Asked(title, words, rows)


def request(context: MessageContext, status: SenderStatus) -> Answer:
    """The answer that asks the player to confirm; it does not quote the message."""
    reasons = {
        SenderStatus.NO_SINGLE_AUTHOR: _("It has no sender, or more than one."),
        SenderStatus.UNKNOWN_ADDRESS: _("It was not sent from an address that you have confirmed."),
        SenderStatus.UNAUTHENTICATED: _(
            "We could not verify that it came from its sender's address."
        ),
        SenderStatus.CONFIRMATION_WANTED: _("You have chosen to confirm everything on the site."),
    }
    return Answer(
        MessageOutcome.CONFIRM,
        (
            _(
                "A message was sent to the reply address of one of your e-mails; nothing has "
                "been done yet."
            ),
            reasons[status],
            _("Sign in to see what it says, and to confirm it if it is yours:"),
        ),
        context.match_id,
        context.invitation_id,
        board="",
    )


def page_url(message_id: int) -> str:
    """URL of the confirmation page; it acts only for the logged-in player, and only on POST."""
    return f"{settings.SITE_URL}{reverse('mail:confirm', args=[message_id])}"


def find(user: User, message_id: int) -> Question | None:
    """The message with this id, if it waits for this player's confirmation."""
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
    """Carry out the commands as of now; None if that was done meanwhile or there are none.

    The time of the click counts, not the arrival: anybody could have sent the message in time.
    """
    row, parsed = question.row, question.parsed
    with command_transaction(), transaction.atomic():
        waiting = IncomingMessage.objects.select_for_update().filter(
            pk=row.pk, outcome=MessageOutcome.CONFIRM
        )
        if not waiting.values_list("pk"):
            return None
        address = reply_addresses.lock(question.address.pk)
        if address is None:
            return None
        at = now()
        context = MessageContext.from_reply_address(
            address,
            arrived=at - waited,
            now=at,
            proposal=reply_addresses.proposal(address),
            own_lines=parsed.own_lines or parsed.html_own_lines,
        )
        if parsed.conflict:
            answer: Answer | None = dispatch.differing(context, parsed.commands)
        else:
            answer = dispatch.act(context, parsed.commands)
        outcome = MessageOutcome.UNREAD if answer is None else answer.outcome
        IncomingMessage.objects.filter(pk=row.pk).update(
            outcome=outcome, why="confirmed on the site"
        )
    return answer
