"""Pictures of the guide: boards with some pieces and marked squares.

The marks come from the rules, see `rule_queries`. The site draws a picture as a table, docs/games
has it as an SVG file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from games.presentation import rule_queries
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset


@dataclass(frozen=True)
class Picture:
    """A board with pieces. `marks` are states of squares as on any board, `arrows` join squares.

    A table cannot have arrows, so the site shows a picture with arrows as SVG.
    """

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
    """A picture of some pieces, with the squares marked that a chosen piece may go to or attack."""
    states: dict[str, list[str]] = {}
    if chosen:
        states[chosen] = ["chosen"]
        states |= {square: ["target"] for square in rule_queries.targets(rules, pieces, chosen)}
    states |= {square: list(classes) for square, classes in (marks or {}).items()}
    return Picture(rules, caption, rule_queries.seen(rules, pieces), states, arrows)
