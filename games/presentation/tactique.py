"""Presentation of Tactique: drawings, words for volleys, and pictures of the guide."""

from django.utils.translation import gettext as _

from games.presentation import rule_queries
from games.presentation.pictures import Pictures, picture
from games.presentation.presentation import EventWords, Presentation
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems.tactique import game as tactique
from games.rules.systems.tactique.pieces import TactiqueTermination


def pictures(rules: Ruleset) -> Pictures:
    """A pikeman's moves, a cavalryman's charge and an archer's volley."""
    charging = {"d3": "V", "d6": "p", "f3": "i", "c4": "i", "h1": "F", "b7": "f"}
    charges = [move for move in rule_queries.moves(rules, charging) if move.via]
    attacked = {str(move.target) for move in charges if move.source == "d3"}
    walks = {s for s in rule_queries.targets(rules, charging, "d3") if s not in charging}
    around = _volleyed(rules)
    return {
        "move": picture(
            rules,
            _(
                "Where the pikeman on c3 may go: any number of empty squares in a "
                "straight line, or against an adjacent enemy."
            ),
            {"c3": "P", "c4": "i", "f3": "V", "h1": "F", "h8": "f"},
            chosen="c3",
        ),
        "charge": picture(
            rules,
            _(
                "The cavalryman on d3 charges: it goes to an empty square in a straight line "
                "and attacks an adjacent enemy there. The pieces it can reach are marked."
            ),
            charging,
            marks={"d3": ["chosen"]}
            | {square: ["target"] for square in walks}
            | {square: ["battle"] for square in attacked},
        ),
        "volley": picture(
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
    return rule_queries.volley(rules, {**enemies, "d4": "A", "a1": "F"}, "h8-h7")


PRESENTATION = Presentation(
    family=tactique.Tactique.family,
    # Spent Infantry is drawn as Infantry; the letter and the mark show the difference.
    symbols={rank: f"t{rank}" for rank in "CVPIA"} | {"W": "tI", "F": "F"},
    move_answers=(
        gettext_noop("Write a charge as its three squares: “d2 d5 d6” goes to d5 and strikes d6."),
    ),
    endings={TactiqueTermination.FLAG_SHOT: gettext_noop("flag shot by archers")},
    events=EventWords(
        volley_removed=gettext_noop("Archers removed the piece on %(square)s."),
        volley_demoted=gettext_noop("Archers demoted the piece on %(square)s."),
    ),
    pictures=pictures,
)
