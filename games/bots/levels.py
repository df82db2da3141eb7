"""Levels of play, each a set of budgets. All are counts, so that a seed decides every answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """How much a brain thinks.

    `noise` is how far, in the worth of pieces, it misjudges a move by chance; `wary`, whether it
    sees what a piece is exposed to; `keen`, whether it reads what pieces do. At most so many
    `worlds` are drawn from the belief, as long as fewer legal moves have been `looked` at, and
    `replies` is how many plies are searched in each; `positions` bounds the search of an open game,
    `depth` its plies.
    """

    name: str
    noise: float
    wary: bool
    keen: bool
    worlds: int
    looked: int
    replies: int
    positions: int
    depth: int


RANDOM = Level("random", 0.0, False, False, 0, 0, 0, 0, 0)
RECRUIT = Level("recruit", 2.5, False, False, 0, 0, 0, 400, 1)
SERGEANT = Level("sergeant", 0.6, True, True, 4, 0, 2, 4_000, 4)
MARSHAL = Level("marshal", 0.03, True, True, 36, 220_000, 3, 40_000, 30)
LEVELS = {level.name: level for level in (RECRUIT, SERGEANT, MARSHAL, RANDOM)}
USUAL = SERGEANT
