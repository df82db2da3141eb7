"""Move commands: play a move, send a set-up, or store either as a draft.

A command loads the match and asks the rules without any lock, then writes once under the optimistic
lock of match_store.append_ply. It may raise a Refusal with a sentence for the player, and has then
changed nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from games.idempotency.replay import command_transaction
from games.play import refusals
from games.play.clocks import outages, running
from games.play.commands import time_off
from games.play.commands.endings import won_by
from games.play.models.kind import PlyKind
from games.play.models.match import Status
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.record.match_store import Ending, MatchState
from games.play.record.sealed import drafts
from games.play.setups import arrangement
from games.play.setups.arrangement import Arrangement
from games.play.time_controls import ZERO
from games.rules.core import engine
from games.rules.core.basics.moves import Huff, Move, Walk
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Outcome, Phase, Position
from games.rules.core.text import notation

if TYPE_CHECKING:
    from accounts.models import User

LONG_WAIT = timedelta(minutes=1)  # an action that waited less was not delayed by an outage


@dataclass(frozen=True)
class Receipt:
    """The result of submit_move: the ply of the move, and the match's status.

    `repeated` if it had been played before.
    """

    match_id: int
    ply: int
    status: Status
    repeated: bool = False


def submit_move(
    match_id: int,
    user: User,
    text: str,
    ply: int | None,
    *,
    waited: timedelta = ZERO,
    exact: bool = False,
) -> Receipt:
    """Play the move `text` on the ply that the user saw, or send a set-up (`ply` is None).

    `waited` is how long ago it arrived at the first of our machines, which is the instant that
    counts. If `exact`, a step is not read as an attack, nor an attack as a step. Idempotent: the
    same move on the same ply again returns the first receipt. Raises MatchMovedOn if the match is
    at another ply, MatchIsOver, TooLate, NotSeated, NotAsWritten, CapturesNothing, or a Refusal of
    the rules.
    """
    arrived = None
    for _ in range(refusals.MAX_ATTEMPTS):
        state = match_store.load_match(match_id, arrived, waited=waited)
        arrived = arrived or state.at
        seat = state.seat_of(user.pk)
        setting_up = state.position.phase is Phase.SETUP and seat in state.position.to_act
        if (ply is None) != setting_up or (ply is not None and not state.match.is_at(ply)):
            return _played_before(state, seat, text, ply)
        if not state.match.is_live:
            raise refusals.MatchIsOver
        if _settle(state, seat):
            continue
        move = notation.read_move(state.rules, state.position, seat, text)
        if exact and notation.write_move(state.rules, move) != text:
            raise refusals.NotAsWritten
        _check_capture(state.rules, move, text)
        position, events = engine.advance(state.rules, state.position, seat, move)
        write = write_move if waited < LONG_WAIT else _write_waited_move
        number = write(state, seat, move, position, events)
        if number is not None:
            return Receipt(match_id, number, _status(position))
        # A concurrent write came first. Two set-ups may cross, so try again; a second move on the
        # same ply is refused above.
    raise refusals.MatchMovedOn


def _check_capture(rules: Ruleset, move: Move, text: str) -> None:
    """Raise CapturesNothing for a step that is written as an attack.

    A player or program that writes it believes that a piece is on the square.
    """
    step = move.then if isinstance(move, Huff) else move
    if isinstance(step, Walk) and notation.claims_capture(text):
        raise refusals.CapturesNothing(rules.board.names[step.target])


def _settle(state: MatchState, seat: Seat) -> bool:
    """Credit this seat with the time it is owed: outages, then vacation; True if a clock changed.

    Raises TooLate if the player is late and nothing is owed.
    """
    late = state.is_late(seat)
    # A time bank is charged at each move, so outages are credited before.
    if (late or state.match.budget().accumulates) and outages.credit_match(state.match.pk):
        return True
    if late and not time_off.take_vacation(state.players[seat], state.at):
        raise refusals.TooLate
    return late


def write_move(
    state: MatchState, seat: Seat, move: Move, after: Position, events: Iterable[Event]
) -> int | None:
    """Append a move or set-up that led to the position `after`; see match_store.append_ply."""
    written = notation.write_move(state.rules, move)
    setting_up = state.position.phase is Phase.SETUP
    # The public text has what spectators observe, which excludes the text of a set-up.
    remarks = notation.remarks(witness(events, Viewpoint.GALLERY))
    return match_store.append_ply(
        state,
        PlyKind.SETUP if setting_up else PlyKind.MOVE,
        seat,
        position=after,
        public=remarks.strip() if setting_up else written + remarks,
        private=written if setting_up else "",
        ending=_ending(state.rules, after.outcome),
    )


def _write_waited_move(
    state: MatchState, seat: Seat, move: Move, after: Position, events: Iterable[Event]
) -> int | None:
    """As `write_move`; outages since the move arrived are credited to the next player."""
    try:
        with command_transaction():
            outages.take_back(state.players[seat], state.at)
            number = write_move(state, seat, move, after, events)
            if number is None:
                raise running.ClockChanged
            outages.credit_turn(state.match.pk, state.at)
    except running.ClockChanged:
        return None
    return number


def prepare_move(match_id: int, user: User, text: str, ply: int | None) -> None:
    """Store a legal move as a draft, replacing an older one; raises Refusal."""
    state = match_store.load_match(match_id)
    seat = state.seat_of(user.pk)
    if not state.match.is_at(ply):
        raise refusals.MatchMovedOn if state.match.is_live else refusals.MatchIsOver
    move = notation.read_move(state.rules, state.position, seat, text)
    _check_capture(state.rules, move, text)
    written = notation.write_move(state.rules, move)
    if not drafts.store(state.players[seat], state.match, state.match.turn_ply, written):
        raise refusals.MatchIsOver


def prepare_setup(match_id: int, user: User, draft: str) -> None:
    """Store an unfinished set-up (setups/editing.py) as a draft; raises Refusal."""
    state = match_store.load_match(match_id)
    player = state.players[state.seat_of(user.pk)]
    if state.match.status != Status.SETUP or not player.to_act:
        raise refusals.set_up_already() if state.match.is_live else refusals.MatchIsOver()
    if not drafts.store(player, state.match, 0, draft):
        raise refusals.MatchMovedOn


def check_setup(match_id: int, user: User, text: str) -> list[BadSetup]:
    """All faults of a set-up for this player's pieces; an empty list if it may be sent."""
    state = match_store.load_match(match_id)
    seat = state.seat_of(user.pk)
    return state.rules.check_setup(seat, text, state.position)


def random_setup(match_id: int, user: User) -> Arrangement:
    """A random set-up of this player's army, uniform over all that the rules allow."""
    state = match_store.load_match(match_id)
    seat = state.seat_of(user.pk)
    rng = secrets.SystemRandom()
    setup = state.rules.random_setup(seat, rng, state.position)
    return arrangement.placed_by(state.rules, setup)


def _played_before(state: MatchState, seat: Seat, text: str, ply: int | None) -> Receipt:
    """The receipt of the same move played before; raises MatchMovedOn for anything else."""
    kind = PlyKind.SETUP if ply is None else PlyKind.MOVE
    played = Ply.objects.filter(match=state.match, seat=seat, kind=kind)
    if ply is not None:
        played = played.filter(number=_next_action(state, ply) or 0)  # ply 0 is no move
    after = played.first()
    if after is None:
        raise refusals.MatchMovedOn if state.match.is_live else refusals.MatchIsOver
    before = Ply.objects.get(match=state.match, number=after.number - 1)
    sealed = match_store.unseal_ply(state.match.pk, before.number, before.sealed)
    then = sealed.read(state.rules)
    try:
        again = notation.read_move(state.rules, then, seat, text)
    except Refusal:
        raise refusals.MatchMovedOn from None
    written = notation.write_move(state.rules, again)
    if ply is None:
        was = match_store.unseal_ply(state.match.pk, after.number, after.sealed).private
    else:
        was = notation.read_annotated(state.rules, after.text).text
    if written != was:
        raise refusals.MatchMovedOn
    status = Status(state.match.status)
    return Receipt(state.match.pk, after.number, status, repeated=True)


def _next_action(state: MatchState, ply: int) -> int:
    """The number of the first ply after `ply` that is no look; one that does not exist without."""
    later = Ply.objects.filter(match=state.match, number__gt=ply, number__lte=state.match.ply)
    others = later.exclude(kind=PlyKind.LOOK) if state.match.looks else later
    number: int | None = others.order_by("number").values_list("number", flat=True).first()
    return state.match.ply + 1 if number is None else number


def _status(position: Position) -> Status:
    """The status of a match in this position."""
    if position.outcome is not None:
        return Status.FINISHED
    return Status.SETUP if position.phase is Phase.SETUP else Status.RUNNING


def _ending(rules: Ruleset, outcome: Outcome | None) -> Ending | None:
    if outcome is None:
        return None
    if outcome.winner is None:
        return Ending(Status.FINISHED, "draw", outcome.reason)
    return won_by(rules, outcome.winner, outcome.reason)
