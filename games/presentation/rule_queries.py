"""Queries to the rules: moves, battles and volleys in made-up positions.

Nothing in here knows a game. A position is made up, the rules are asked for their
moves or play one, and what they answer is the fact, sorted, since they may list it in any order.
Squares and pieces are names; a piece is written as in the board text (`M`, `v'`, `[40]`, `o`).
"""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import NamedTuple

from games.rules.core.basics.pieces import MARKED, BySeat, Rank, Seat, owner
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.imagined_positions import Imagined, remaining
from games.rules.core.observation import SeenPiece, observe
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Clashed, Ended, Event, Volleyed
from games.rules.core.text.notation import (
    Annotated,
    read_annotated,
    read_move,
    read_position,
    write_move,
)
from games.rules.core.text.position_fields import write_board

Pieces = Mapping[str, str]  # by square, as the board text writes them


def position(rules: Ruleset, pieces: Pieces, seat: Seat) -> Imagined:
    """A made-up position with a side to move; what is not on the board has fallen before."""
    text = _text(rules, pieces, seat)
    missing = remaining(rules, observe(rules, read_position(rules, text), Viewpoint.OPEN))

    def fallen(side: Seat) -> tuple[Rank | None, ...]:
        own = (rank for rank in missing[side] if rules.face(side, rank, False) in rules.faces)
        return tuple(rank for rank in own for _time in range(missing[side][rank]))

    losses = BySeat(fallen(Seat.SOUTH), fallen(Seat.NORTH))
    return read_position(rules, " ".join([text, *rules.memory.from_losses(losses)]))


def set_up(rules: Ruleset, seed: int) -> dict[str, SeenPiece]:
    """The pieces of a match that begins, as South sees them; set up by lot, the same for a seed."""
    rng = Random(seed)  # noqa: S311 - a picture to look at, of no match.
    position = rules.start(rng)
    for seat in position.awaited:
        position = rules.deploy(position, rules.random_setup(seat, rng, position))
    return observe(rules, position, Viewpoint.SOUTH).pieces


def seen(rules: Ruleset, pieces: Pieces) -> dict[str, SeenPiece]:
    """Some pieces on the board, all face up."""
    return observe(rules, read_position(rules, _text(rules, pieces)), Viewpoint.OPEN).pieces


def moves(rules: Ruleset, pieces: Pieces, seat: Seat = Seat.SOUTH) -> list[Annotated]:
    """What a side may do with some pieces on the board."""
    position = read_position(rules, _text(rules, pieces, seat))
    legal = rules.legal_moves(position, seat)
    return [read_annotated(rules, write_move(rules, move)) for move in legal]


def moves_after(rules: Ruleset, pieces: Pieces, text: str, seat: Seat) -> list[Annotated]:
    """What the other side may do after a move."""
    position = read_position(rules, _text(rules, pieces, seat))
    position, _events = rules.apply(position, seat, read_move(rules, position, seat, text))
    legal = rules.legal_moves(position, seat.other)
    return [read_annotated(rules, write_move(rules, move)) for move in legal]


def targets(rules: Ruleset, pieces: Pieces, square: str) -> list[str]:
    """Where the southern piece on a square may go, or strike."""
    found = [move for move in moves(rules, pieces) if move.source == square]
    return sorted({str(move.target) for move in found})


def ways(rules: Ruleset, rank: str, seat: Seat) -> dict[str, list[str]]:
    """Where a piece that is alone on the board may go, from each square."""
    face = rules.face(seat, rank, False)
    return {
        square: sorted(str(move.target) for move in moves(rules, {square: face}, seat))
        for square in rules.board.squares
        if rules.board.playable(square)
    }


def lines(rules: Ruleset, rank: str, seat: Seat) -> list[tuple[str, str]]:
    """The pairs of squares between which such a piece may step to and fro."""
    there = ways(rules, rank, seat)
    return [
        (one, other)
        for one, reached in there.items()
        for other in reached
        if one < other and one in there[other]
    ]


class Battle(NamedTuple):
    """The result of a battle in the notation's signs; the winner, if it decided the game."""

    result: str
    winner: Seat | None


@cache
def battle(rules: Ruleset, attacker: str, defender: str) -> Battle | None:
    """South attacks North; None if it cannot. Both pieces are named as South writes them."""
    here, there = _neighbours(rules)
    content = rules.faces[defender]
    enemy = rules.face(Seat.NORTH, rules.rank_of(content), bool(content & MARKED))
    try:
        happened = after(rules, {here: attacker, there: enemy}, f"{here}x{there}")
    except Refusal:
        return None
    clash = next(event for event in happened if isinstance(event, Clashed))
    winners = [event.outcome.winner for event in happened if isinstance(event, Ended)]
    return Battle(clash.result, winners[0] if clash.result == "#" else None)


def _neighbours(rules: Ruleset) -> tuple[str, str]:
    """Two squares, one before the other, on which pieces may meet."""
    squares = filter(rules.board.playable, rules.board.squares)
    pairs = ((square, f"{square[0]}{int(square[1:]) + 1}") for square in squares)
    return next(pair for pair in pairs if rules.board.playable(pair[1]))


def after(rules: Ruleset, pieces: Pieces, text: str, seat: Seat = Seat.SOUTH) -> tuple[Event, ...]:
    """What happens when a move is played; raises Refusal."""
    position = read_position(rules, _text(rules, pieces, seat))
    return rules.apply(position, seat, read_move(rules, position, seat, text))[1]


def volley(rules: Ruleset, pieces: Pieces, text: str) -> list[str]:
    """The squares that South's archers hit after a move of North's."""
    happened = after(rules, pieces, text, Seat.NORTH)
    volleys = [event for event in happened if isinstance(event, Volleyed)]
    return sorted(square for event in volleys for square, _removed in event.hits)


def _text(rules: Ruleset, pieces: Pieces, seat: Seat = Seat.SOUTH) -> str:
    """The text of a position with nothing behind it."""
    names = rules.board.names

    def face(cell: int) -> str:
        if not rules.board.playable(names[cell]):
            return "~"
        return pieces.get(names[cell], "")

    return f"{write_board(rules, face)} {rules.seat_letters[seat]} 0 0"


def ranks(rules: Ruleset) -> list[str]:
    """The pieces of an army as South writes them, then those that they may be demoted to."""
    demoted = [
        text
        for text, content in rules.faces.items()
        if rules.mark == "demoted" and content & MARKED and owner(content) is Seat.SOUTH
    ]
    return [rules.face(Seat.SOUTH, troop.rank, False) for troop in rules.army] + demoted
