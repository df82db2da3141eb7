"""Presentation of L'Attaque: drawings, other notations of set-ups, and pictures of the guide."""

from django.utils.translation import gettext as _

from games.presentation import rule_queries
from games.presentation.pictures import Picture, Pictures, picture
from games.presentation.presentation import Presentation
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems.lattaque import game as lattaque


def pictures(rules: Ruleset) -> Pictures:
    """A scout's and a miner's moves, and the board of the old English edition."""
    gibson = next(edition for edition in lattaque.EDITIONS if edition.key == "lattaque-gibson")
    return {
        "scout": picture(
            rules,
            _(
                "Where the scout on b4 may go: over any number of empty squares, and "
                "against the first enemy it meets."
            ),
            {"b4": "R", "b9": "g", "b2": "L", "e4": "b", "a1": "F"},
            chosen="b4",
        ),
        "step": picture(
            rules,
            _(
                "Where the miner on e5 may go: one square, against an enemy too; not onto"
                " a piece of its own, and not into the lake."
            ),
            {"e5": "E", "e6": "b", "e4": "S", "a1": "F", "j10": "f"},
            chosen="e5",
        ),
        "gibson": Picture(
            gibson,
            _("Gibson's board of nine files with three lakes"),
            rule_queries.set_up(gibson, 1909),
        ),
    }


PRESENTATION = Presentation(
    family=lattaque.Attaque.family,
    symbols={rank: rank for rank in "MGCJKLSERYBF"},
    setup_format=(
        *Presentation.setup_format,
        gettext_noop(
            "Set-ups in the letters of Gravon and StraDos and in the numbers of the Chinese "
            "edition work too."
        ),
    ),
    pictures=pictures,
)
