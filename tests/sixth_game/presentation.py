"""Presentation of Outpost: a drawing of the site's sprite, and words of its own."""

from games.presentation.pictures import Pictures, picture
from games.presentation.presentation import Presentation
from games.rules.core.ruleset.base import Ruleset
from tests.sixth_game.outpost import Outpost, OutpostTermination


def pictures(rules: Ruleset) -> Pictures:
    """The steps of a hussar."""
    hussar = {"c3": "H", "c4": "g", "a1": "F"}
    return {"step": picture(rules, "Where the hussar may go.", hussar, chosen="c3")}


PRESENTATION = Presentation(
    family=Outpost.family,
    symbols={"F": "F"},
    legend="Small letters: %(north)s. Capitals: %(south)s.",
    setup_caption="Your two rows, the front one first",
    setup_format=("Two rows of letters.",),
    endings={OutpostTermination.OUTPOST_TAKEN: "the outpost has a new garrison"},
    pictures=pictures,
)
