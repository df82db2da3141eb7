"""Refusals: exceptions that tell a player why an action is not accepted.

A refusal is a whole sentence and never depends on anything that the player may not know.
"""


def gettext_noop(message: str) -> str:
    """Mark a message for translation and return it unchanged; it is translated when shown."""
    return message


class Refusal(Exception):  # noqa: N818 - a refusal is an answer and no error.
    """Base of all refusals: a message for the player.

    `template` is an English message with `%(name)s` placeholders, `values` replace them. Values
    that are words (piece names, spelled-out numbers) are marked for translation too. `code` names
    the kind of refusal for programs that play over the API; it never changes.
    """

    code = "refused"

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template % self.values


class UnreadableMove(Refusal):
    """Invalid move: the text does not name a move of this game."""

    code = "unreadable-move"


class AmbiguousMove(Refusal):
    """Ambiguous move: the text fits more than one legal move."""

    code = "ambiguous-move"


class IllegalMove(Refusal):
    """Illegal move: the text names a move, but the rules do not allow it in this position."""

    code = "illegal-move"


class NotYourTurn(Refusal):
    """Not this seat's turn: the other side is to act, or the game is over."""

    code = "not-your-turn"


class BadSetup(Refusal):
    """Invalid set-up; `faults` lists everything that is wrong with it."""

    code = "bad-setup"
    faults: tuple["BadSetup", ...] = ()

    @classmethod
    def combined(cls, faults: "list[BadSetup]") -> "BadSetup":
        """The first of some faults, with all of them in its `faults`."""
        first = faults[0]
        first.faults = tuple(faults)
        return first


class BadPosition(Refusal):
    """Invalid position text."""


class BadRecord(Refusal):
    """Invalid game record: it cannot be read, or its moves cannot be played."""


class UnknownRuleset(Refusal, ValueError):  # noqa: N818 - named like its kin.
    """Unknown edition, option, or value of an option."""

    code = "unknown-rules"


NUMBERS = (
    gettext_noop("One"),
    gettext_noop("Two"),
    gettext_noop("Three"),
    gettext_noop("Four"),
    gettext_noop("Five"),
    gettext_noop("Six"),
    gettext_noop("Seven"),
    gettext_noop("Eight"),
    gettext_noop("Nine"),
    gettext_noop("Ten"),
    gettext_noop("Eleven"),
    gettext_noop("Twelve"),
)


def in_words(number: int) -> str:
    """A number from 1 to 12 as a capitalised English word, a larger one in digits."""
    return NUMBERS[number - 1] if number <= len(NUMBERS) else str(number)
