"""Time by mail: a day for the opponent, and the claim of a win when their time is up."""

from django.utils.translation import gettext as _

from games.mail.answering import refusing
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.play.commands import courtesies, endings
from games.rules.core.basics.refusals import Refusal

ONE_DAY = "1d"


def give_day(case: Case, command: Command) -> Answer:
    """Give the opponent a day; no other time can be given."""
    assert case.match_id is not None  # noqa: S101 - asked about a match
    understood = f"wait {command.argument}"
    if command.argument != ONE_DAY:
        words = _("You can give one day at a time, with “wait 1d”; you may send it again.")
        return refusing.refused(case, understood, words)
    try:
        courtesies.give_day(case.match_id, case.user)
    except Refusal as refusal:
        return refusing.of(case, understood, refusal)
    return Answer(
        MessageOutcome.GIVEN, (_("Your opponent has been given another day."),), case.match_id
    )


def claim(case: Case, command: Command) -> Answer:
    """Claim the win, where the opponent's time is up and the match waits for that."""
    assert case.match_id is not None  # noqa: S101 - asked about a match
    try:
        endings.claim_win(case.match_id, case.user)
    except Refusal as refusal:
        return refusing.of(case, "claim", refusal)
    return Answer(
        MessageOutcome.ACCEPTED, (_("You have claimed the win: you win the match."),), case.match_id
    )
