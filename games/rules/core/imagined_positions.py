"""Imagined positions: an observation with the hidden ranks filled in by guess.

A bot that sees only an observation can think ahead on such a position by the rules. It is made from
the observation and the guess alone; the true position never comes in here.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import BySeat, Rank, Seat, piece
from games.rules.core.engine import advance
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import NO_SHUTTLES, Position, Shuttle

Imagined: TypeAlias = Position  # a Position that is not the true one


def imagine(
    rules: Ruleset,
    observation: Observation,
    ranks: Mapping[str, Rank],
    shuttles: BySeat[Shuttle] = NO_SHUTTLES,
) -> Imagined:
    """The position of an observation, with guessed `ranks` of its unknown pieces by square.

    The same viewpoint observes the same of it, with the same legal moves, provided that the ranks
    fit the army (see `remaining`). An observation does not contain the repetitions of both sides,
    `shuttles`; a caller that knows all moves has counted them (C9).
    """
    cells = bytearray(rules.board.blank)
    index, kinds = rules.board.index, rules.kinds
    for square, seen in observation.pieces.items():
        rank = ranks[square] if seen.rank is None else seen.rank
        cells[index[square]] = piece(seen.seat, kinds[rank], marked=bool(seen.marks))
    return Position(
        bytes(cells),
        observation.turn,
        observation.ply,
        observation.quiet,
        shuttles,
        rules.memory.imagined(
            bytes(cells), observation.fallen, observation.aside, observation.notes
        ),
        observation.outcome,
    )


def play_on(
    rules: Ruleset, imagined: Imagined, seat: Seat, move: Move
) -> tuple[Imagined, tuple[Event, ...]]:
    """The imagined position after an action of a seat, and what happened there.

    Raises NotYourTurn, BadSetup or IllegalMove, as `engine.advance` does.
    """
    return advance(rules, imagined, seat, move)


def remaining(rules: Ruleset, observation: Observation) -> BySeat[Counter[Rank]]:
    """What the unknown pieces of an observation may be, by seat, in lines of the army list.

    There may be more of them than unknown pieces, if some were not dealt or fell unnamed.
    """
    left = BySeat(
        *(Counter({troop.rank: troop.number for troop in rules.army}) for _ in observation.fallen)
    )
    for seen in observation.pieces.values():
        if seen.rank is not None:
            left[seen.seat][rules.enlisted_as(seen.rank, marked=bool(seen.marks))] -= 1
    for counts, fallen, aside in zip(left, observation.fallen, observation.aside, strict=True):
        for rank in (*fallen, *(aside or ())):
            if rank is not None:
                plain, marked = _plain(rules, rank)
                counts[rules.enlisted_as(plain, marked=marked)] -= 1
    return BySeat(+left[0], +left[1])


def _plain(rules: Ruleset, rank: Rank) -> tuple[Rank, bool]:
    """A rank without the sign of a mark, and whether it had one."""
    sign = rules.mark_sign
    marked = bool(sign) and rank.endswith(sign)
    return (rank.removesuffix(sign) if marked else rank), marked
