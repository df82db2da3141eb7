"""Lessons of domino Stratego: the two halves of a tile, which tile to send, and the 6-6."""

from games.guide.lessons.lesson import Goal, Lesson
from games.rules import registry
from games.rules.core.basics.refusals import gettext_noop

RULES = registry.games["domino"][0]
IDLE = ("h9-h8", "h8-h9", "h9-g9", "g9-h9", "h8-g8", "g8-h8")

LESSONS = (
    Lesson(
        name="moves",
        rules=RULES,
        title=gettext_noop("Two halves of a tile"),
        teaches=(
            gettext_noop(
                "Every tile moves one square forward, backward or sideways. Its left half is its "
                "attack, its right half its defence, as you see it."
            ),
            gettext_noop(
                "In a battle the attack of one tile meets the defence of the other. The higher "
                "number wins; equal numbers remove both tiles."
            ),
        ),
        task=gettext_noop(
            "Move your 4-2 from d4 up to the hidden tile on d6, and attack it with the 4."
        ),
        learnt=gettext_noop(
            "Your 4 met a defence of 3 and won. Had that tile attacked you, its attack would have "
            "met your defence of 2."
        ),
        pieces={
            "d4": "[42]",
            "f2": "[15]",
            "a1": "[66]",
            "d6": "<13>",
            "h9": "<21>",
            "h10": "<66>",
        },
        goal=Goal(battles=(("42", "13"),)),
        needs=("42",),
        replies=IDLE,
    ),
    Lesson(
        name="ranks",
        rules=RULES,
        title=gettext_noop("Which tile to send"),
        teaches=(
            gettext_noop(
                "A tile keeps the orientation in which it was set up. So some tiles are good for "
                "attacking, such as 6-1, and others for guarding, such as 1-6."
            ),
            gettext_noop("Both tiles are shown in a battle, and the survivor is hidden again."),
        ),
        task=gettext_noop(
            "You know from an earlier battle that the tile on d6 is a 2-5. Remove it without "
            "losing one of yours."
        ),
        learnt=gettext_noop(
            "Only the 6-1 attacks with more than 5. The 1-6 looks as strong, but it would have "
            "attacked with 1, and the 5-3 would have been removed together with its enemy."
        ),
        pieces={
            "c5": "[61]",
            "d5": "[16]",
            "e5": "[53]",
            "a1": "[66]",
            "d6": "<25>",
            "h9": "<21>",
            "h10": "<66>",
        },
        goal=Goal(battles=(("61", "25"),)),
        needs=("61", "16", "53"),
        replies=IDLE,
    ),
    Lesson(
        name="sixes",
        rules=RULES,
        title=gettext_noop("Don't lose the 6-6"),
        teaches=(
            gettext_noop(
                "Whoever loses the 6-6 loses the match. No number is higher than its 6, but "
                "another 6 is equal to it, and then both tiles are removed."
            ),
            gettext_noop("One tile beats it: the 0-0, which loses to nearly everything else."),
        ),
        task=gettext_noop(
            "The enemy's 6-6 has been seen on e9. Move your 0-0 from e7 to it, and win."
        ),
        learnt=gettext_noop(
            "You have won. Guard your own 6-6 well, and do not show where your 0-0 is before it "
            "can strike."
        ),
        pieces={
            "e7": "[00]",
            "c6": "[54]",
            "a1": "[66]",
            "e9": "<66>",
            "d9": "<24>",
            "h9": "<21>",
        },
        goal=Goal(victory=True),
        needs=("00",),
        replies=IDLE,
    ),
)
