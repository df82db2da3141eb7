"""Levels of play: search budgets and playing strength. Budgets are counts, never time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """How strongly a brain plays.

    Noise is the most by which a move's value is changed at random, in units of piece value:
    `noise` in games with hidden ranks, less as its army shrinks; `volley_noise` in games with
    volleys; `open_noise` in games without secrets.

    In games with hidden ranks: `sees_exposure`, whether it evaluates what its pieces are exposed
    to; `reads_conduct`, whether its beliefs use what pieces have done; `guards_flag`, whether it
    evaluates who can stop enemies on their way to its flag. `samples` is the number of sampled
    positions in which it checks whether a move loses its flag at once. Two searches replace this
    check where their budget is not 0: `alphabeta_positions` in games of single steps, and
    `forced_win_moves` in games with volleys.

    In games without secrets: `open_positions` and `open_depth`, in plies, bound the search.
    """

    name: str
    noise: float = 0.0
    volley_noise: float = 0.0
    open_noise: float = 0.0
    sees_exposure: bool = False
    reads_conduct: bool = False
    guards_flag: bool = False
    samples: int = 0
    forced_win_moves: int = 0
    alphabeta_positions: int = 0
    open_positions: int = 0
    open_depth: int = 0


RANDOM = Level("random")
RECRUIT = Level(
    "recruit",
    noise=30.0,
    volley_noise=30.0,
    open_noise=2.5,
    samples=1,
    open_positions=400,
    open_depth=1,
)
SERGEANT = Level(
    "sergeant",
    noise=18.0,
    volley_noise=30.0,
    open_noise=0.6,
    sees_exposure=True,
    reads_conduct=True,
    samples=1,
    open_positions=12_000,
    open_depth=4,
)
MARSHAL = Level(
    "marshal",
    noise=0.03,
    volley_noise=0.03,
    open_noise=0.03,
    sees_exposure=True,
    reads_conduct=True,
    guards_flag=True,
    samples=4,
    forced_win_moves=60_000,
    alphabeta_positions=40_000,
    open_positions=60_000,
    open_depth=30,
)
LEVELS = {level.name: level for level in (RECRUIT, SERGEANT, MARSHAL, RANDOM)}
DEFAULT = SERGEANT
