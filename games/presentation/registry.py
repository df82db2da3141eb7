"""Registry of the presentations of all games."""

from games.presentation import assaut, domino, lattaque, tactique
from games.presentation.presentation import Presentation
from games.rules.core.ruleset.base import Ruleset

PLAIN = Presentation(family="")  # of games without a presentation

_PRESENTATIONS: dict[str, Presentation] = {}


def register(presentation: Presentation) -> None:
    """Add the presentation of a game."""
    _PRESENTATIONS[presentation.family] = presentation


def withdraw(family: str) -> None:
    """Remove the presentation of a game, which is then shown as a plain board."""
    del _PRESENTATIONS[family]


register(lattaque.PRESENTATION)
register(domino.PRESENTATION)
register(tactique.PRESENTATION)
register(assaut.PRESENTATION)


def presentation_of(family: str) -> Presentation:
    """The presentation of a game; a plain board of letters if it has none."""
    return _PRESENTATIONS.get(family, PLAIN)


def played_as(rules: Ruleset, seat: int) -> str:
    """A seat after "you play", untranslated: "South", "the Officers"."""
    return (presentation_of(rules.family).played_as or rules.seat_names)[seat]


def ending(phrase: str) -> str | None:
    """The words for an ending of one game, by its phrase in records; None if there are none."""
    for presentation in _PRESENTATIONS.values():
        for termination, words in presentation.endings.items():
            if termination == phrase:
                return words
    return None
