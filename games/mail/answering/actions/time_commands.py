"""Handlers: give the opponent a day; claim the win when the opponent's time is up."""

from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import quoted
from games.play.commands import courtesies, endings
from games.rules.core.basics.refusals import Refusal

ONE_DAY = "1d"


def give_day(context: MessageContext, command: Command) -> Answer:
    """Give the opponent one day; other amounts are refused."""
    assert context.match_id is not None  # noqa: S101 - a command about a match
    understood = quoted(f"wait {command.argument}")
    if command.argument != ONE_DAY:
        words = _("You can give one day at a time, with “wait 1d”; you may send it again.")
        return refusal_answers.refused(context, understood, words)
    try:
        courtesies.give_day(context.match_id, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    return Answer(
        MessageOutcome.GIVEN, (_("Your opponent has been given another day."),), context.match_id
    )


def claim(context: MessageContext, command: Command) -> Answer:
    """Claim the win, in matches that do not end by themselves when time is up."""
    assert context.match_id is not None  # noqa: S101 - a command about a match
    try:
        endings.claim_win(context.match_id, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted("claim"), refusal)
    return Answer(
        MessageOutcome.ACCEPTED,
        (_("You have claimed the win: you win the match."),),
        context.match_id,
    )
