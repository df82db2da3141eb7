"""Presentation of domino Stratego: tiles of two digits, attack and defence."""

from django.utils.translation import gettext as _

from games.presentation.pictures import Pictures, picture
from games.presentation.presentation import Presentation
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems import domino
from games.rules.systems.domino import DominoTermination


def pictures(rules: Ruleset) -> Pictures:
    """A tile's moves."""
    return {
        "step": picture(
            rules,
            _(
                "Where the tile 4-2 on d4 may go. Against d5 its attack, 4, meets the "
                "defence of the enemy there, 3, and wins."
            ),
            {"d4": "[42]", "d5": "<13>", "c4": "[66]", "h10": "<66>"},
            chosen="d4",
        ),
    }


PRESENTATION = Presentation(
    family=domino.Domino.family,
    tiles=True,
    piece_label=gettext_noop("%(seat)s tile, attack %(attack)s, defence %(defence)s"),
    legend=gettext_noop("Two digits: the attack and the defence of a tile of yours."),
    setup_format=(
        gettext_noop(
            "Rows from the highest number to the lowest, separated by /; two digits for each "
            "tile, its attack and its defence, and -- for an empty square."
        ),
    ),
    setup_answer=gettext_noop(
        "To set up, write a tile in place of each dot of these rows, the attack before the "
        "defence, and send them back."
    ),
    endings={
        DominoTermination.SIXES: gettext_noop("6-6 destroyed"),
        DominoTermination.BOTH_SIXES: gettext_noop("both 6-6 destroyed"),
    },
    pictures=pictures,
)
