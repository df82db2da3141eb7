"""The pictures of the guide: a board with some pieces, and the squares that the rules tell of it.

Each is made by asking the rules, see `facts`; the site draws it as a table (`boards`), docs/games
as an SVG file (`drawing`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from django.utils.translation import gettext as _

from games.guide import facts
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset


@dataclass(frozen=True)
class Picture:
    """A board to look at. `marks` are states of squares as on any board, `arrows` ways between
    squares; a table cannot draw those, so the site shows the SVG of a picture that has any."""

    rules: Ruleset
    caption: str
    pieces: Mapping[str, SeenPiece]
    marks: Mapping[str, Iterable[str]] = field(default_factory=dict)
    arrows: tuple[tuple[str, str], ...] = ()
    lines: tuple[tuple[str, str], ...] = ()  # drawn under everything, where a board has lines


Pictures = dict[str, Picture]

# Where the board has points and no squares: the piece of North's that may take every line.
FREEST = {"assaut": "O"}


def pictures(family: str) -> Pictures:
    """The pictures of a game, by name; a game with none of its own has its board alone."""
    editions = registry.systems[family]
    own = OWN.get(family, lambda rules: {})(editions[0])
    return {"board": _board(editions[0]), **own}


def _board(rules: Ruleset) -> Picture:
    words = _("The board as a match begins, seen by South")
    if not rules.hidden:
        words = _("The board as a match may begin")
    return Picture(rules, words, facts.set_up(rules, 1909), lines=_lines(rules))


def _lines(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """The lines of a board that has points and no squares."""
    rank = FREEST.get(rules.family)
    return tuple(facts.lines(rules, rank, Seat.NORTH)) if rank else ()


def _scene(
    rules: Ruleset,
    caption: str,
    pieces: facts.Pieces,
    *,
    chosen: str = "",
    marks: Mapping[str, Iterable[str]] | None = None,
    **more: tuple[tuple[str, str], ...],
) -> Picture:
    """Some pieces; where one is chosen, the squares that it may go to or strike are marked."""
    states: dict[str, list[str]] = {}
    if chosen:
        states[chosen] = ["chosen"]
        states |= {square: ["target"] for square in facts.targets(rules, pieces, chosen)}
    states |= {square: list(classes) for square, classes in (marks or {}).items()}
    return Picture(rules, caption, facts.seen(rules, pieces), states, lines=_lines(rules), **more)


def _lattaque(rules: Ruleset) -> Pictures:
    gibson = registry.ruleset("lattaque-gibson")
    return {
        "scout": _scene(
            rules,
            _(
                "Where the scout on b4 may go: over any number of empty squares, and "
                "against the first enemy it meets."
            ),
            {"b4": "R", "b9": "g", "b2": "L", "e4": "b", "a1": "F"},
            chosen="b4",
        ),
        "step": _scene(
            rules,
            _(
                "Where the miner on e5 may go: one square, against an enemy too; not onto"
                " a piece of its own, and not into the lake."
            ),
            {"e5": "E", "e6": "b", "e4": "S", "a1": "F", "j10": "f"},
            chosen="e5",
        ),
        "gibson": Picture(
            gibson, _("Gibson's board of nine files with three lakes"), facts.set_up(gibson, 1909)
        ),
    }


def _domino(rules: Ruleset) -> Pictures:
    return {
        "step": _scene(
            rules,
            _(
                "Where the tile 4-2 on d4 may go. Against d5 its attack, 4, meets the "
                "defence of the enemy there, 3, and wins."
            ),
            {"d4": "[42]", "d5": "<13>", "c4": "[66]", "h10": "<66>"},
            chosen="d4",
        ),
    }


def _tactique(rules: Ruleset) -> Pictures:
    charging = {"d3": "V", "d6": "p", "f3": "i", "c4": "i", "h1": "F", "b7": "f"}
    charges = [move for move in facts.moves(rules, charging) if move.via]
    struck = {str(move.target) for move in charges if move.source == "d3"}
    walks = {s for s in facts.targets(rules, charging, "d3") if s not in charging}
    around = _volleyed(rules)
    return {
        "move": _scene(
            rules,
            _(
                "Where the pikeman on c3 may go: any number of empty squares in a "
                "straight line, or against an enemy beside it."
            ),
            {"c3": "P", "c4": "i", "f3": "V", "h1": "F", "h8": "f"},
            chosen="c3",
        ),
        "charge": _scene(
            rules,
            _(
                "The cavalryman on d3 charges: it goes to an empty square in a straight "
                "line and strikes an enemy beside it there. Whom it can reach is marked."
            ),
            charging,
            marks={"d3": ["chosen"]}
            | {square: ["target"] for square in walks}
            | {square: ["battle"] for square in struck},
        ),
        "volley": _scene(
            rules,
            _("The eight squares that the archer on d4 hits before each turn of its side."),
            {"d4": "A"},
            marks={"d4": ["chosen"]} | {square: ["hit"] for square in around},
        ),
    }


def _volleyed(rules: Ruleset) -> list[str]:
    """The squares that an archer on d4 hits, on a board full of enemies."""
    squares = [square for square in rules.board.squares if square != "h7"]
    enemies = dict.fromkeys(squares, "p")
    return facts.volley(rules, {**enemies, "d4": "A", "a1": "F"}, "h8-h7")


def _assaut(rules: Ruleset) -> Pictures:
    chain = {"d6": "o", "c7": "o", "d5": "S", "e4": "S", "e3": "S", "a4": "S", "g5": "S"}
    longest = max(
        facts.moves(rules, chain, Seat.NORTH), key=lambda move: (len(move.path), move.path)
    ).path
    missed = {"d6": "o", "e6": "o", "d5": "S", "a4": "S", "g4": "S"}
    blown = {
        str(move.blown)
        for move in facts.moves_after(rules, missed, "e6-e7", Seat.NORTH)
        if move.blown
    }
    free = registry.ruleset("assaut-free")
    return {
        "ways": _ways(
            rules,
            _(
                "Every step that a soldier may take: nearer to the fortress, never back; "
                "inside it, any way."
            ),
        ),
        "free": _ways(free, _("The steps of soldiers in the edition of the free soldiers.")),
        "chain": _scene(
            rules,
            _("The officer on %(source)s captures three soldiers in one turn: %(move)s.")
            % {"source": longest[0], "move": "x".join(longest)},
            chain,
            marks={longest[0]: ["chosen"], longest[-1]: ["target"]},
            arrows=tuple(pairwise(longest)),
        ),
        "huff": _scene(
            rules,
            _(
                "The officer on d6 could have captured on d5, but the other one stepped "
                "from e6 to e7. Now the soldiers may blow the officer on d6."
            ),
            {**{k: v for k, v in missed.items() if k != "e6"}, "e7": "o"},
            marks={"e6": ["last-from"], "e7": ["last-to"]}
            | {square: ["offender"] for square in blown},
        ),
    }


def _ways(rules: Ruleset, caption: str) -> Picture:
    """An arrow for every step of a soldier."""
    steps = facts.ways(rules, "S", Seat.SOUTH)
    arrows = tuple((one, other) for one, reached in steps.items() for other in reached)
    return Picture(rules, caption, {}, arrows=arrows, lines=_lines(rules))


OWN: dict[str, Callable[[Ruleset], Pictures]] = {
    "lattaque": _lattaque,
    "domino": _domino,
    "tactique": _tactique,
    "assaut": _assaut,
}
