"""Imagined positions: one that an observation allows, with the hidden ranks filled in by guess.

Whoever sees only an observation may think ahead on such a position by the rules themselves. The
position is made from the observation and the guess alone; nothing here ever meets the true one.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from games.rules.core.basics.pieces import BySeat, Rank, piece
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import NO_SHUTTLES, Position, Shuttle

Imagined: TypeAlias = Position  # a Position that is nobody's truth


def imagine(
    rules: Ruleset,
    observation: Observation,
    ranks: Mapping[str, Rank],
    shuttles: BySeat[Shuttle] = NO_SHUTTLES,
) -> Imagined:
    """The position that an observation shows, with the ranks of its unknown pieces by square.

    Seen by the same viewpoint it is the same observation, with the same legal moves, provided that
    the ranks respect the army (see `remaining`). The repetitions of both sides are no part of an
    observation; who has heard all moves has counted them (C9).
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


def remaining(rules: Ruleset, observation: Observation) -> BySeat[Counter[Rank]]:
    """The pieces of each army that an observation leaves unaccounted for, by seat.

    Those are what its unknown pieces may be, as the army list calls them. There may be more of them
    than unknown pieces, where some are out of play or fell without a name.
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
    """A rank as it was told, and whether it was told with the sign of a mark."""
    sign = rules.mark_sign
    marked = bool(sign) and rank.endswith(sign)
    return (rank.removesuffix(sign) if marked else rank), marked
