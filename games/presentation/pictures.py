"""Pictures of the guide: a board with some pieces, and the squares that the rules tell of it.

Each is made by asking the rules, see `facts`; the site draws it as a table, docs/games as an SVG
file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from games.presentation import rule_queries
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset


@dataclass(frozen=True)
class Picture:
    """A board to look at. `marks` are states of squares as on any board, `arrows` ways between
    squares; a table cannot draw those, so the site shows the SVG of a picture that has any."""

    rules: Ruleset
    caption: str
    pieces: Mapping[str, SeenPiece]
    marks: Mapping[str, Iterable[str]] = field(default_factory=dict)
    arrows: tuple[tuple[str, str], ...] = ()


Pictures = dict[str, Picture]


def picture(
    rules: Ruleset,
    caption: str,
    pieces: rule_queries.Pieces,
    *,
    chosen: str = "",
    marks: Mapping[str, Iterable[str]] | None = None,
    arrows: tuple[tuple[str, str], ...] = (),
) -> Picture:
    """Some pieces; where one is chosen, the squares that it may go to or strike are marked."""
    states: dict[str, list[str]] = {}
    if chosen:
        states[chosen] = ["chosen"]
        states |= {square: ["target"] for square in rule_queries.targets(rules, pieces, chosen)}
    states |= {square: list(classes) for square, classes in (marks or {}).items()}
    return Picture(rules, caption, rule_queries.seen(rules, pieces), states, arrows)
