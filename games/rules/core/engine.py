"""Engine: starts a game, and advances it by one legal action."""

from random import Random

from games.rules.core.basics.moves import Move, Setup
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.refusals import BadSetup, IllegalMove, NotYourTurn, gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Deployed, Event
from games.rules.core.state.position import Phase, Position


def begin(
    rules: Ruleset, rng: Random | None, aside: BySeat[tuple[Rank, ...]] | None = None
) -> Position:
    """The start position, before the set-ups; the generator is used for a deal (D2).

    Without a generator nothing is dealt, unless `aside` gives the pieces that each side is not
    dealt: the set-ups of a record show what was dealt.
    """
    position = rules.start(rng)
    if rules.deal is None or aside is None:
        return position
    return rules.deal.set_aside(position, aside)


def advance(
    rules: Ruleset, position: Position, seat: Seat, move: Move
) -> tuple[Position, tuple[Event, ...]]:
    """The position after an action of a seat, and what happened.

    Raises NotYourTurn, BadSetup or IllegalMove. The given position is not changed.
    """
    check_turn(position, seat)
    if isinstance(move, Setup):
        return _deploy(rules, position, seat, move)
    if position.phase is Phase.SETUP:
        raise IllegalMove(gettext_noop("Set up your pieces first; the moves come after that."))
    if not rules.is_legal(position, seat, move):
        raise rules.explain(position, seat, move)
    return rules.apply(position, seat, move)


def check_turn(position: Position, seat: Seat) -> None:
    """Raise NotYourTurn unless the seat may act."""
    if seat in position.to_act:
        return
    if position.phase is Phase.OVER:
        raise NotYourTurn(gettext_noop("The game is over; nothing more can be played."))
    if position.phase is Phase.SETUP:
        raise NotYourTurn(
            gettext_noop("Your set-up is already sent; the other side is still setting up.")
        )
    raise NotYourTurn(gettext_noop("It is the other side's turn."))


def _deploy(
    rules: Ruleset, position: Position, seat: Seat, setup: Setup
) -> tuple[Position, tuple[Event, ...]]:
    if position.phase is not Phase.SETUP or setup.seat is not seat:
        raise IllegalMove(gettext_noop("That side cannot set up now."))
    if faults := rules.setup_faults(setup, position):
        raise BadSetup.combined(faults)
    after = rules.deploy(position, setup)
    events: tuple[Event, ...] = (Deployed(seat),)
    if after.awaited or rules.volleys is None:
        return after, events
    after, volley = rules.volleys.before_first_move(after)
    return after, events + volley
