"""Lessons of Tactique: the charge and demotion, archers, and the flag."""

from games.guide.lessons.lesson import Goal, Lesson
from games.rules import registry
from games.rules.core.basics.refusals import gettext_noop

RULES = registry.games["tactique"][0]
# Going back and forth three times in a row is against the rules, so the way is a round one.
IDLE = ("h8-h7", "h7-g7", "g7-g8", "g8-h8", "h7-h8")

LESSONS = (
    Lesson(
        name="charge",
        rules=RULES,
        title=gettext_noop("Charges and demotion"),
        teaches=(
            gettext_noop(
                "A piece moves any number of empty squares in a straight line. With a charge it "
                "attacks an enemy beside its new square in the same turn."
            ),
            gettext_noop(
                "The lower piece in a battle is not lost at once: it stays and is demoted by one "
                "rank. A demoted piece that is beaten again leaves the board."
            ),
        ),
        task=gettext_noop(
            "Charge with your pikeman: choose d2, then d6, then the enemy on d7. Then attack it "
            "once more."
        ),
        learnt=gettext_noop(
            "The first battle demoted the infantryman, the second removed it. It takes two blows "
            "to get rid of a piece."
        ),
        pieces={
            "d2": "P",
            "f1": "I",
            "a1": "F",
            "d7": "i",
            "h8": "p",
            "c8": "f",
        },
        goal=Goal(battles=(("P", "I"), ("P", "W'"))),
        needs=("P",),
        replies=IDLE,
    ),
    Lesson(
        name="archers",
        rules=RULES,
        title=gettext_noop("Archers"),
        teaches=(
            gettext_noop(
                "Archers never attack. Before each of your turns they shoot automatically at "
                "every enemy exactly two squares away in a straight line, or one square away "
                "diagonally."
            ),
            gettext_noop(
                "A piece that is hit is demoted by one rank, or removed if it was already "
                "demoted. Nothing stops an arrow, not even a piece in between."
            ),
        ),
        task=gettext_noop(
            "Move your archer on d2 to d4, two squares from the piece on d6. Then make any move "
            "that leaves it there, until its arrows have removed that piece."
        ),
        learnt=gettext_noop(
            "The first arrow demoted the piece, the second removed it. Your opponent learned "
            "which square was hit, but not from where."
        ),
        pieces={
            "d2": "A",
            "f2": "I",
            "a1": "F",
            "d6": "p",
            "h8": "i",
            "c8": "f",
        },
        goal=Goal(shot=1),
        needs=("A",),
        replies=IDLE,
    ),
    Lesson(
        name="flag",
        rules=RULES,
        title=gettext_noop("Take the flag"),
        teaches=(
            gettext_noop(
                "The player who attacks the enemy's flag wins at once, and a charge strikes "
                "sideways and backward, too. So a flag needs guards on every side."
            ),
        ),
        task=gettext_noop(
            "You have found out that the flag stands on e8, behind a guard on e7. Charge around "
            "the guard with your cavalryman on d3."
        ),
        learnt=gettext_noop(
            "You have won. An army with no movable piece left loses, too. That is all you need "
            "for your first match."
        ),
        pieces={
            "d3": "V",
            "g2": "I",
            "a1": "F",
            "e8": "f",
            "e7": "i",
            "f8": "p",
            "h8": "i",
        },
        goal=Goal(victory=True),
        needs=("V",),
        replies=IDLE,
    ),
)
