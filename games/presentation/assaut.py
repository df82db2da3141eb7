"""Presentation of Assaut: points and lines, soldiers and officers, captures by jumping."""

from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.presentation import rule_queries
from games.presentation.pictures import Picture, Pictures, picture
from games.presentation.presentation import EventWords, Points, Presentation
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems.assaut import game as assaut
from games.rules.systems.assaut.game import AssautTermination


def pictures(rules: Ruleset) -> Pictures:
    """The soldiers' steps, an officer's chain of captures, and an officer that may be huffed."""
    chain = {"d6": "o", "c7": "o", "d5": "S", "e4": "S", "e3": "S", "a4": "S", "g5": "S"}
    longest = max(
        rule_queries.moves(rules, chain, Seat.NORTH), key=lambda move: (len(move.path), move.path)
    ).path
    missed = {"d6": "o", "e6": "o", "d5": "S", "a4": "S", "g4": "S"}
    huffed = {
        str(move.huffed)
        for move in rule_queries.moves_after(rules, missed, "e6-e7", Seat.NORTH)
        if move.huffed
    }
    free = next(edition for edition in assaut.EDITIONS if edition.key == "assaut-free")
    return {
        "ways": _ways(
            rules,
            _(
                "Every step that a soldier may take: nearer to the fortress, never back; inside "
                "it, in any direction."
            ),
        ),
        "free": _ways(free, _("How soldiers may move in the “free soldiers” editions.")),
        "chain": picture(
            rules,
            _("The officer on %(source)s captures three soldiers in one turn: %(move)s.")
            % {"source": longest[0], "move": "x".join(longest)},
            chain,
            marks={longest[0]: ["chosen"], longest[-1]: ["target"]},
            arrows=tuple(pairwise(longest)),
        ),
        "huff": picture(
            rules,
            _(
                "The officer on d6 could have captured on d5, but the other one stepped from "
                "e6 to e7. Now the soldiers may huff (remove) the officer on d6."
            ),
            {**{k: v for k, v in missed.items() if k != "e6"}, "e7": "o"},
            marks={"e6": ["last-from"], "e7": ["last-to"]}
            | {square: ["offender"] for square in huffed},
        ),
    }


def _ways(rules: Ruleset, caption: str) -> Picture:
    """An arrow for every step of a soldier."""
    steps = rule_queries.ways(rules, "S", Seat.SOUTH)
    arrows = tuple((start, end) for start, ends in steps.items() for end in ends)
    return Picture(rules, caption, {}, arrows=arrows)


def captured(count: int) -> str:
    """The words for an officer's jumps, each of which takes one soldier (A11)."""
    return ngettext(
        "%(player)s captured %(count)s soldier, jumping along %(path)s.",
        "%(player)s captured %(count)s soldiers, jumping along %(path)s.",
        count,
    )


PRESENTATION = Presentation(
    family=assaut.Assaut.family,
    symbols={"S": "aS", "O": "aO"},
    points=Points(fortress_of=Seat.NORTH, free_rank="O"),  # A1 to A3
    piece_label="%(piece)s",  # "Soldiers Soldier" would say it twice.
    played_as=BySeat(gettext_noop("the Soldiers"), gettext_noop("the Officers")),
    setup_caption=gettext_noop("The current board; your officers go into the fortress"),
    setup_format=(
        gettext_noop("Two points of the fortress, separated by a comma, for example c6,e6."),
    ),
    move_answers=(
        gettext_noop("Write a capture as its points in order: “d5 d3 b5” jumps twice."),
        gettext_noop("To huff an officer, name it and then the move: “huff d6 c4-c5” does both."),
    ),
    setup_answer=gettext_noop(
        "To set up, reply with the two points for your officers on a line of their own: “c7 e7” "
        "are two points of the fortress."
    ),
    setup_rows=False,
    endings={
        AssautTermination.OFFICERS_HUFFED: gettext_noop("all officers huffed"),
        AssautTermination.FORTRESS_FILLED: gettext_noop("fortress filled"),
        AssautTermination.SIXTEEN_CAPTURED: gettext_noop("sixteen soldiers captured"),
        AssautTermination.SOLDIERS_CANNOT_MOVE: gettext_noop("the soldiers cannot move"),
        AssautTermination.OFFICERS_BLOCKED: gettext_noop("the officers are blocked"),
        AssautTermination.OFFICERS_BLOCKED_FORBIDDEN: gettext_noop(
            "the officers are blocked, which is forbidden"
        ),
    },
    events=EventWords(
        huffed=gettext_noop("%(player)s huffed the officer on %(point)s."),
        huff_label=gettext_noop("huff:"),
        huff_button=gettext_noop("Huff the officer on %(point)s"),
        huff_button_then_move=gettext_noop("Huff the officer on %(point)s, then move"),
        huff_prompt=gettext_noop(
            "You huff the officer on %(square)s. Choose the soldier that moves."
        ),
        captured=captured,
    ),
    pictures=pictures,
)
