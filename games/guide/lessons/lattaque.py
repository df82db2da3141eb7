"""Lessons of L'Attaque: a battle, the pieces that are unlike the others, and the flag."""

from games.guide.lessons.lesson import Goal, Lesson
from games.rules import registry
from games.rules.core.basics.refusals import gettext_noop

RULES = registry.games["lattaque"][0]
# A piece far from what happens goes back and forth; where it may not, another takes its turn.
IDLE = ("j9-j8", "j8-j9", "j9-i9", "i9-j9", "j8-i8", "i8-j8")

LESSONS = (
    Lesson(
        name="moves",
        rules=RULES,
        title=gettext_noop("Moves and battles"),
        teaches=(
            gettext_noop(
                "You play South, the red pieces at the bottom of the board. A piece moves one "
                "square forward, backward or sideways."
            ),
            gettext_noop(
                "An envelope is an enemy whose rank you cannot see. Attack it, and both ranks "
                "are shown: the higher one wins, the lower one leaves the board."
            ),
        ),
        task=gettext_noop("Move your captain from e4 up to the piece on e6, and attack it."),
        learnt=gettext_noop(
            "A captain beats a sergeant. After the battle your captain is hidden again, but your "
            "opponent has seen it and may remember."
        ),
        pieces={
            "e4": "K",
            "f2": "S",
            "a1": "F",
            "e6": "s",
            "j9": "l",
            "b9": "k",
            "j10": "f",
        },
        goal=Goal(battles=(("K", "S"),)),
        needs=("K",),
        replies=IDLE,
    ),
    Lesson(
        name="ranks",
        rules=RULES,
        title=gettext_noop("Scout, miner and spy"),
        teaches=(
            gettext_noop(
                "A scout moves any number of empty squares in a straight line and may attack at "
                "the end. It is weak, but it finds out what the enemy pieces are."
            ),
            gettext_noop(
                "A bomb destroys whatever attacks it, except a miner, who removes it. The spy is "
                "the weakest piece, but beats the marshal if the spy attacks."
            ),
        ),
        task=gettext_noop(
            "Do three things: attack b9 with your scout, remove the bomb on e9 with your miner, "
            "and catch the marshal on i8 with your spy."
        ),
        learnt=gettext_noop(
            "Your scout is lost, but now you know where the general is. That is what scouts are "
            "for. Only miners can remove bombs, and a marshal must beware of the spy."
        ),
        pieces={
            "b3": "R",
            "e8": "E",
            "i7": "Y",
            "d2": "K",
            "a1": "F",
            "b9": "g",
            "e9": "b",
            "i8": "m",
            "j10": "r",
            "e10": "f",
        },
        goal=Goal(battles=(("R", "G"), ("E", "B"), ("Y", "M"))),
        needs=("Y",),
        replies=("j10-j9", "j9-j10", "j10-i10", "i10-j10"),
    ),
    Lesson(
        name="flag",
        rules=RULES,
        title=gettext_noop("Take the flag"),
        teaches=(
            gettext_noop(
                "The player who takes the enemy's flag wins the match at once. The flag never "
                "moves, nor do bombs, so the flag often stands behind them."
            ),
            gettext_noop(
                "Look at the last row: a piece between others that have never moved is worth a try."
            ),
        ),
        task=gettext_noop(
            "A scout of yours was lost to a bomb on e9. Find out what it guards: clear the way "
            "with your miner on d8 and take the flag."
        ),
        learnt=gettext_noop(
            "You have won. An army with no movable piece left loses, too. That is all you need "
            "for your first match."
        ),
        pieces={
            "d8": "E",
            "c7": "K",
            "a1": "F",
            "e9": "b",
            "d10": "b",
            "f10": "b",
            "e10": "f",
            "j9": "l",
            "h9": "s",
        },
        goal=Goal(victory=True),
        needs=("E",),
        replies=IDLE,
    ),
)
