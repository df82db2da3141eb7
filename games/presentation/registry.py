"""Registry of presentations: the one place that knows which game is shown how."""

from games.presentation import assaut, domino, lattaque, tactique
from games.presentation.presentation import Presentation
from games.rules.core.ruleset.base import Ruleset

PLAIN = Presentation(family="")  # of every game that brings no presentation

_PRESENTATIONS: dict[str, Presentation] = {}


def register(presentation: Presentation) -> None:
    """Add the presentation of a game."""
    _PRESENTATIONS[presentation.family] = presentation


def withdraw(family: str) -> None:
    """Remove the presentation of a game; it is shown plainly from now on."""
    del _PRESENTATIONS[family]


register(lattaque.PRESENTATION)
register(domino.PRESENTATION)
register(tactique.PRESENTATION)
register(assaut.PRESENTATION)


def presentation_of(family: str) -> Presentation:
    """How a game is shown; a plain board of letters for one that brings nothing."""
    return _PRESENTATIONS.get(family, PLAIN)


def played_as(rules: Ruleset, seat: int) -> str:
    """A seat after "you play", untranslated: "South", "the Officers"."""
    return (presentation_of(rules.family).played_as or rules.seat_names)[seat]


def ending(phrase: str) -> str | None:
    """What a reader is told of an ending that one game alone has, by its phrase in records."""
    for presentation in _PRESENTATIONS.values():
        for termination, words in presentation.endings.items():
            if termination == phrase:
                return words
    return None
