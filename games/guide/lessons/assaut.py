"""Lessons of Assaut: soldiers that cover each other, officers that jump, and a full fortress."""

from games.guide.lessons.lesson import Goal, Lesson
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import gettext_noop

RULES = registry.games["assaut"][0]
FORTRESS = tuple(f"{file}{row}" for file in "cde" for row in (5, 6, 7))

LESSONS = (
    Lesson(
        name="soldiers",
        rules=RULES,
        title=gettext_noop("Soldiers cover each other"),
        teaches=(
            gettext_noop(
                "You play the soldiers. A soldier moves along one line to a free point, nearer "
                "to the fortress at the top and never back. Nothing is hidden."
            ),
            gettext_noop(
                "An officer captures an adjacent soldier by jumping over it to the free point "
                "behind. It cannot jump if another soldier stands there."
            ),
        ),
        task=gettext_noop("Bring three soldiers into the fortress, the nine shaded points."),
        learnt=gettext_noop(
            "Three soldiers are inside. As long as each has another behind it, the officers can "
            "only give way."
        ),
        pieces={
            **dict.fromkeys(("c3", "d3", "e3", "c4", "d4", "e4", "d2", "c2", "e2"), "S"),
            **dict.fromkeys(("a3", "b3", "f3", "g3", "a4", "b4", "f4", "g4"), "S"),
            "c7": "o",
            "e7": "o",
        },
        goal=Goal(squares=FORTRESS, standing=3),
        captures_first=True,
        replies=("c7-d7", "d7-c7", "e7-d7", "d7-e7"),
        turns=15,
    ),
    Lesson(
        name="officers",
        rules=RULES,
        title=gettext_noop("Officers jump"),
        teaches=(
            gettext_noop(
                "Now you play the officers, and the board is turned. An officer jumps over "
                "an adjacent soldier to the free point behind, and may jump on in the same turn, "
                "in any direction."
            ),
            gettext_noop("The officers win when they have captured sixteen soldiers."),
        ),
        task=gettext_noop(
            "Thirteen soldiers are gone. Capture the last three in one turn: choose your officer "
            "on d6, then each point where it lands."
        ),
        learnt=gettext_noop(
            "You have won. Capture whenever you can: an officer that could capture but does not "
            "may be huffed, that is, removed, before the soldiers' next move."
        ),
        pieces={
            "d6": "o",
            "c7": "o",
            **dict.fromkeys(("d5", "e4", "e3", "a3", "a4", "a5", "b3", "g3", "g4", "g5"), "S"),
            "f5": "S",
        },
        goal=Goal(victory=True),
        seat=Seat.NORTH,
        turns=1,
    ),
    Lesson(
        name="fortress",
        rules=RULES,
        title=gettext_noop("Fill the fortress"),
        teaches=(
            gettext_noop(
                "The soldiers win when they stand on all nine points of the fortress. Inside it, "
                "a soldier can move in any direction, but never leave again."
            ),
        ),
        task=gettext_noop(
            "Both officers have left the fortress. Fill its last point: first make room on d5, "
            "then move in from d4."
        ),
        learnt=gettext_noop(
            "You have won. The soldiers also win when both officers have been huffed, or cannot "
            "move any more. That is all you need for your first match."
        ),
        pieces={
            **dict.fromkeys((point for point in FORTRESS if point != "d6"), "S"),
            "d4": "S",
            "c3": "S",
            "a5": "o",
            "g5": "o",
        },
        goal=Goal(victory=True),
        replies=("a5-a4", "a4-a5", "a5-b5", "g5-g4"),
        turns=4,
    ),
)
