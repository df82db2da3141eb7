"""Queries to the rules: moves, battles and volleys in made-up positions.

Nothing here depends on a game. Results are sorted, since rules may list moves in any order. Squares
and pieces are names; a piece is written as in the board text (`M`, `v'`, `[40]`, `o`).
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
    """A made-up position with a side to move; all other pieces have fallen."""
    text = _text(rules, pieces, seat)
    missing = remaining(rules, observe(rules, read_position(rules, text), Viewpoint.OPEN))

    def fallen(side: Seat) -> tuple[Rank | None, ...]:
        own = (rank for rank in missing[side] if rules.face(side, rank, False) in rules.faces)
        return tuple(rank for rank in own for _time in range(missing[side][rank]))

    losses = BySeat(fallen(Seat.SOUTH), fallen(Seat.NORTH))
    return read_position(rules, " ".join([text, *rules.memory.from_losses(losses)]))


def set_up(rules: Ruleset, seed: int) -> dict[str, SeenPiece]:
    """The pieces at the start of a match as South sees them; random set-ups, equal for a seed."""
    rng = Random(seed)  # noqa: S311 - for a picture, not a match.
    position = rules.start(rng)
    for seat in position.awaited:
        position = rules.deploy(position, rules.random_setup(seat, rng, position))
    return observe(rules, position, Viewpoint.SOUTH).pieces


def seen(rules: Ruleset, pieces: Pieces) -> dict[str, SeenPiece]:
    """Some pieces on the board, all face up."""
    return observe(rules, read_position(rules, _text(rules, pieces)), Viewpoint.OPEN).pieces


def moves(rules: Ruleset, pieces: Pieces, seat: Seat = Seat.SOUTH) -> list[Annotated]:
    """The legal moves of a side with some pieces on the board."""
    position = read_position(rules, _text(rules, pieces, seat))
    legal = rules.legal_moves(position, seat)
    return [read_annotated(rules, write_move(rules, move)) for move in legal]


def moves_after(rules: Ruleset, pieces: Pieces, text: str, seat: Seat) -> list[Annotated]:
    """The legal moves of the other side after a move."""
    position = read_position(rules, _text(rules, pieces, seat))
    position, _events = rules.apply(position, seat, read_move(rules, position, seat, text))
    legal = rules.legal_moves(position, seat.other)
    return [read_annotated(rules, write_move(rules, move)) for move in legal]


def targets(rules: Ruleset, pieces: Pieces, square: str) -> list[str]:
    """The squares that South's piece on a square may go to or attack."""
    return sorted({str(move.target) for move in moves(rules, pieces) if move.source == square})


def ways(rules: Ruleset, rank: str, seat: Seat) -> dict[str, list[str]]:
    """The squares that a piece alone on the board may go to, by its own square."""
    face = rules.face(seat, rank, False)
    return {
        square: sorted(str(move.target) for move in moves(rules, {square: face}, seat))
        for square in rules.board.squares
        if rules.board.playable(square)
    }


def lines(rules: Ruleset, rank: str, seat: Seat) -> list[tuple[str, str]]:
    """The pairs of squares between which a piece alone on the board may step both ways."""
    reachable = ways(rules, rank, seat)
    return [
        (start, end)
        for start, ends in reachable.items()
        for end in ends
        if start < end and start in reachable[end]
    ]


class Battle(NamedTuple):
    """The result of a battle in the notation's signs; the winner, if it ended the game."""

    result: str
    winner: Seat | None


@cache
def battle(rules: Ruleset, attacker: str, defender: str) -> Battle | None:
    """South attacks North; None if it cannot. Both pieces are written as South's."""
    source, target = _neighbours(rules)
    content = rules.faces[defender]
    enemy = rules.face(Seat.NORTH, rules.rank_of(content), bool(content & MARKED))
    try:
        events = after(rules, {source: attacker, target: enemy}, f"{source}x{target}")
    except Refusal:
        return None
    clash = next(event for event in events if isinstance(event, Clashed))
    winners = [event.outcome.winner for event in events if isinstance(event, Ended)]
    return Battle(clash.result, winners[0] if clash.result == "#" else None)


def _neighbours(rules: Ruleset) -> tuple[str, str]:
    """Two squares, one in front of the other."""
    squares = filter(rules.board.playable, rules.board.squares)
    pairs = ((square, f"{square[0]}{int(square[1:]) + 1}") for square in squares)
    return next(pair for pair in pairs if rules.board.playable(pair[1]))


def after(rules: Ruleset, pieces: Pieces, text: str, seat: Seat = Seat.SOUTH) -> tuple[Event, ...]:
    """The events of a move; raises Refusal."""
    position = read_position(rules, _text(rules, pieces, seat))
    return rules.apply(position, seat, read_move(rules, position, seat, text))[1]


def volley(rules: Ruleset, pieces: Pieces, text: str) -> list[str]:
    """The squares that South's archers hit after a move of North's."""
    events = after(rules, pieces, text, Seat.NORTH)
    volleys = [event for event in events if isinstance(event, Volleyed)]
    return sorted(square for event in volleys for square, _removed in event.hits)


def _text(rules: Ruleset, pieces: Pieces, seat: Seat = Seat.SOUTH) -> str:
    """The text of a made-up position at its first ply."""
    names = rules.board.names

    def face(cell: int) -> str:
        if not rules.board.playable(names[cell]):
            return "~"
        return pieces.get(names[cell], "")

    return f"{write_board(rules, face)} {rules.seat_letters[seat]} 0 0"


def ranks(rules: Ruleset) -> list[str]:
    """The pieces of an army as South writes them, then those to which they can be demoted."""
    demoted = [
        text
        for text, content in rules.faces.items()
        if rules.mark == "demoted" and content & MARKED and owner(content) is Seat.SOUTH
    ]
    return [rules.face(Seat.SOUTH, troop.rank, False) for troop in rules.army] + demoted
