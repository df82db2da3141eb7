"""Observation: what a viewpoint sees of a position.

An observation starts empty; what no line here adds stays hidden.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from games.rules.core.basics.board import Board
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import MARKED, BySeat, Rank, Seat, is_piece, owner
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event, Sighting
from games.rules.core.state.position import Outcome, Phase, Position

MAX_LISTED_MOVES = 2_000


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece as a viewpoint sees it; `rank` is None if unknown, marks are public."""

    seat: Seat
    rank: Rank | None
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class Observation:
    """All that a viewpoint knows of a position. Squares are names; `repr` shows no rank."""

    viewpoint: Viewpoint
    board: Board
    phase: Phase
    to_act: tuple[Seat, ...]
    turn: Seat
    pieces: dict[str, SeenPiece]
    hand: BySeat[tuple[Rank, ...] | None]  # still to be placed; None if unknown
    aside: BySeat[tuple[Rank, ...] | None]  # not dealt (D2); None if unknown
    fallen: BySeat[tuple[Rank | None, ...]]  # None for a piece that fell unnamed
    moves: tuple[Move, ...]  # the viewpoint's legal moves; empty if there are too many to list
    notes: tuple[Sentence, ...]
    outcome: Outcome | None
    quiet: int
    ply: int

    def __repr__(self) -> str:
        return f"<Observation {self.viewpoint} {self.phase} ply={self.ply} quiet={self.quiet}>"


def observe(rules: Ruleset, position: Position, viewpoint: Viewpoint) -> Observation:
    """What a viewpoint sees of a position. OPEN is for finished matches only."""
    return Observation(
        viewpoint=viewpoint,
        board=rules.board,
        phase=position.phase,
        to_act=position.to_act,
        turn=position.turn,
        pieces=_pieces(rules, position, viewpoint),
        hand=_own(rules.hand(position, seat) if viewpoint.owns(seat) else None for seat in Seat),
        aside=_own(
            _aside(rules, position, seat) if viewpoint.owns(seat) else None for seat in Seat
        ),
        fallen=BySeat(
            _fallen(rules, position, viewpoint, Seat.SOUTH),
            _fallen(rules, position, viewpoint, Seat.NORTH),
        ),
        moves=_moves(rules, position, viewpoint),
        notes=rules.notes(position, viewpoint),
        outcome=position.outcome,
        quiet=position.quiet,
        ply=position.ply,
    )


def witness(events: Iterable[Event], viewpoint: Viewpoint) -> tuple[Sighting, ...]:
    """What a viewpoint sees of some events, in their order."""
    sightings = (event.seen_from(viewpoint) for event in events)
    return tuple(sighting for sighting in sightings if sighting is not None)


def _own(
    values: Iterable[tuple[Rank, ...] | None],
) -> BySeat[tuple[Rank, ...] | None]:
    south, north = values
    return BySeat(south, north)


def _aside(rules: Ruleset, position: Position, seat: Seat) -> tuple[Rank, ...]:
    return rules.deal.aside(position, seat) if rules.deal else ()


def _pieces(rules: Ruleset, position: Position, viewpoint: Viewpoint) -> dict[str, SeenPiece]:
    seen = {}  # one object for all pieces with the same content
    for content in filter(is_piece, set(position.cells)):
        seat = owner(content)
        # Until both sides have set up, the other side does not even know the squares.
        if position.awaited and rules.hidden and not viewpoint.owns(seat):
            continue
        rank = rules.rank_of(content) if rules.visible(content, viewpoint) else None
        marks = frozenset((rules.mark,)) if content & MARKED else frozenset()
        seen[content] = SeenPiece(seat, rank, marks)
    squares = zip(rules.board.names, position.cells, strict=True)
    return {name: seen[content] for name, content in squares if content in seen}


def _fallen(
    rules: Ruleset, position: Position, viewpoint: Viewpoint, seat: Seat
) -> tuple[Rank | None, ...]:
    return tuple(
        rank if public or viewpoint.owns(seat) else None
        for rank, public in rules.fallen(position, seat)
    )


def _moves(rules: Ruleset, position: Position, viewpoint: Viewpoint) -> tuple[Move, ...]:
    seat = viewpoint.seat
    if seat is None or position.phase is not Phase.PLAY or seat not in position.to_act:
        return ()
    moves = tuple(islice(rules.legal_moves(position, seat), MAX_LISTED_MOVES + 1))
    return moves if len(moves) <= MAX_LISTED_MOVES else ()
