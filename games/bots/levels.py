"""Levels of play, each a set of budgets. All are counts, so that a seed decides every answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """How much a brain thinks.

    `noise` is how far, in the worth of pieces, it misjudges a move by chance where ranks are
    hidden and many pieces stand, `far_noise` where pieces strike from afar as well, and
    `open_noise` where all is open;
    `wary`, whether it sees what a piece is exposed to; `keen`, whether it reads what pieces do;
    `watchful`, whether it sees who can stop an enemy on its way to what decides the match. Whether
    that can be taken at once after a move is looked up in so many `worlds` drawn from the belief.
    Where pieces step, `skirmish` positions of such worlds are searched instead, and where they
    strike from afar `sieges` are looked for, making so many moves.
    `positions` bounds the search of an open game, `depth` its plies.
    """

    name: str
    noise: float = 0.0
    far_noise: float = 0.0
    open_noise: float = 0.0
    wary: bool = False
    keen: bool = False
    watchful: bool = False
    worlds: int = 0
    sieges: int = 0
    skirmish: int = 0
    positions: int = 0
    depth: int = 0


RANDOM = Level("random")
RECRUIT = Level(
    "recruit", noise=30.0, far_noise=30.0, open_noise=2.5, worlds=1, positions=400, depth=1
)
SERGEANT = Level(
    "sergeant",
    noise=18.0,
    far_noise=30.0,
    open_noise=0.6,
    wary=True,
    keen=True,
    worlds=1,
    positions=12_000,
    depth=4,
)
MARSHAL = Level(
    "marshal",
    noise=0.03,
    far_noise=0.03,
    open_noise=0.03,
    wary=True,
    keen=True,
    watchful=True,
    worlds=4,
    sieges=60_000,
    skirmish=40_000,
    positions=60_000,
    depth=30,
)
LEVELS = {level.name: level for level in (RECRUIT, SERGEANT, MARSHAL, RANDOM)}
USUAL = SERGEANT
