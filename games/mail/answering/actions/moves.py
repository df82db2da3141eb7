"""Moves by mail: the squares of a message, played among the legal moves of the player's seat."""

from django.utils.translation import gettext as _

from games.mail.answering import refusing
from games.mail.answering.actions import setups
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.play.commands import moves
from games.play.models.match import Status
from games.play.record.match_view import MatchView, view_match
from games.play.words import narration
from games.rules.core.basics.moves import Walk
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text import notation

POINTS = 2  # of a set-up, as the reader of messages reads them


def play(case: Case, command: Command) -> Answer:
    """Play a move, as of the ply that the e-mail showed."""
    text, view = command.move_text, case.view()
    if view.match.status == Status.SETUP:
        return _in_setup(case, command, view)
    if _repeats_points(case, command, view):
        return setups.send(case, view, ",".join(command.squares))
    if view.my_turn and case.ply == view.number and _hits_nothing(view, command):
        words = _("There is no enemy piece on %(square)s; write a dash if you want to move there.")
        return refusing.refused(case, text, words % {"square": command.squares[-1]})
    try:
        ply = -1 if case.ply is None else case.ply
        receipt = moves.submit_move(view.match.pk, case.user, text, ply, waited=case.waited)
    except Refusal as refusal:
        return refusing.of(case, text, refusal)
    if receipt.repeated:
        words = _("This move had already been played; it counts only once: %(move)s.")
        return Answer(MessageOutcome.REPEATED, (words % {"move": text},), view.match.pk)
    return Answer(MessageOutcome.PLAYED, _told(case, receipt.ply), view.match.pk)


def _told(case: Case, ply: int) -> tuple[str, ...]:
    """What was played, as the record has it, and what came of it."""
    assert case.match_id is not None  # noqa: S101 - a move has a match
    after = view_match(case.match_id, case.user, ply=ply)
    words = _("Played: %(move)s.") % {"move": after.entry.text}
    return (words, *narration.sentences(after))


def _in_setup(case: Case, command: Command, view: MatchView) -> Answer:
    """Squares may be the points of a set-up; no move can be made yet."""
    if view.my_turn and _may_be_points(command, view):
        return setups.send(case, view, ",".join(command.squares))
    words = _("Your opponent is still setting up; you can move after that.")
    if view.my_turn:
        words = _("Set up your army first; you can move after that.")
    return refusing.refused(case, command.move_text, words)


def _may_be_points(command: Command, view: MatchView) -> bool:
    """Whether squares are where pieces are set up one by one, in a game without rows of them."""
    rules, seat = view.rules, view.seat
    if seat is None or command.huff or seat not in rules.seats_setting_up:
        return False
    return len(command.squares) == POINTS and not rules.setup_rows(seat)


def _repeats_points(case: Case, command: Command, view: MatchView) -> bool:
    """Whether they are those of a set-up once more, in answer to the e-mail that asked for it."""
    opening = view.match.opening
    if case.ply is None or opening is None or case.ply >= opening:
        return False
    return _may_be_points(command, view)


def _hits_nothing(view: MatchView, command: Command) -> bool:
    """Whether a move that claims an enemy goes to an empty square.

    Where pieces are captured by jumps, one that is no jump claims what it does not do.
    """
    if not command.claims_capture or not command.squares:
        return False
    rules, target = view.rules, command.squares[-1]
    if target not in rules.board.index:
        return False  # which the rules say in their own words
    if rules.jumping_seat is not None:
        plain = "-".join(command.squares)
        walks = (move for move in view.observation.moves if isinstance(move, Walk))
        return any(notation.write_move(rules, move) == plain for move in walks)
    standing = view.observation.pieces.get(target)
    return standing is None
