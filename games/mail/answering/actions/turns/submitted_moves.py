"""Handler: play a move, with lines for the plan, or the two points of a set-up by points."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.actions.turns import submitted_setups
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.plan_language.reading import NumberedLine
from games.play.commands import moves
from games.play.commands.plans import saving
from games.play.commands.plans.refusing import AnswerWaits, BadPlan, PlanEdited, PlanOutdated
from games.play.models.match import Status
from games.play.record.match_view import MatchView, view_match
from games.play.words import narration
from games.rules.core.basics.refusals import Refusal

SETUP_POINTS = 2


def play_move(
    context: MessageContext, command: Command, lines: Sequence[NumberedLine] = ()
) -> Answer:
    """Play a move at the ply that the e-mail showed, with a plan of these lines for what follows.

    Raises BadPlan, AnswerWaits or PlanEdited if the plan is refused.
    """
    text, view = command.move_text, context.view()
    if view.match.status == Status.SETUP:
        return _in_setup(context, command, view)
    if not lines and _repeats_points(context, command, view):
        return submitted_setups.submit(context, view, ",".join(command.squares))
    try:
        receipt = _submit(context, view, text, lines)
    except (BadPlan, AnswerWaits, PlanEdited):
        raise
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, text, refusal)
    if receipt.repeated:
        words = _("This move had already been played; it counts only once: %(move)s.")
        sentences = [words % {"move": text}]
        if lines:
            sentences.append(_("The lines for your plan were not saved again; “plan” shows it."))
        return Answer(MessageOutcome.REPEATED, tuple(sentences), view.match.pk)
    return Answer(MessageOutcome.PLAYED, _sentences(context, receipt.ply), view.match.pk)


def _submit(
    context: MessageContext, view: MatchView, text: str, lines: Sequence[NumberedLine]
) -> moves.Receipt:
    match_id, user = view.match.pk, context.user
    ply = -1 if context.ply is None else context.ply
    if lines:
        try:
            saved = saving.save_plan(
                match_id, user, ply, lines, move=text, waited=context.waited, newer_wins=True
            )
        except PlanOutdated:
            pass  # The move may be the one that was played.
        else:
            assert saved.receipt is not None  # noqa: S101 - there is a move
            return saved.receipt
    return moves.submit_move(match_id, user, text, ply, waited=context.waited)


def _sentences(context: MessageContext, ply: int) -> tuple[str, ...]:
    """The move in record notation, and what happened."""
    assert context.match_id is not None  # noqa: S101 - a command about a match
    after = view_match(context.match_id, context.user, ply=ply)
    words = _("Played: %(move)s.") % {"move": after.entry.text}
    return (words, *narration.sentences(after))


def _in_setup(context: MessageContext, command: Command, view: MatchView) -> Answer:
    """During the set-up: squares may be set-up points; moves are refused."""
    if view.my_turn and _may_be_points(command, view):
        return submitted_setups.submit(context, view, ",".join(command.squares))
    words = _("Your opponent is still setting up; you can move after that.")
    if view.my_turn:
        words = _("Set up your army first; you can move after that.")
    return refusal_answers.refused(context, command.move_text, words)


def _may_be_points(command: Command, view: MatchView) -> bool:
    """Whether the squares may be set-up points, in a game that is not set up by rows."""
    rules, seat = view.rules, view.seat
    if seat is None or command.huff or seat not in rules.seats_setting_up:
        return False
    return len(command.squares) == SETUP_POINTS and not rules.setup_rows(seat)


def _repeats_points(context: MessageContext, command: Command, view: MatchView) -> bool:
    """Whether a set-up by points is repeated, in reply to the e-mail that asked for it."""
    opening = view.match.opening
    if context.ply is None or opening is None or context.ply >= opening:
        return False
    return _may_be_points(command, view)
