"""Refusals: what the rules say when they say no.

The one rule: a refusal is a whole sentence for the player, and it never depends on anything that
the player may not know.
"""


def gettext_noop(message: str) -> str:
    """Mark a message for translation and leave it as it is; whoever shows it translates it."""
    return message


class Refusal(Exception):  # noqa: N818 - a refusal is an answer and no error.
    """A "no" with its reason.

    `template` is an English message with `%(name)s` places, `facts` fills them. Facts that are
    words (names of pieces, numbers spelled out) are marked for translation like the templates.
    """

    def __init__(self, template: str, /, **facts: object) -> None:
        super().__init__(template)
        self.template = template
        self.facts = facts

    def __str__(self) -> str:
        return self.template % self.facts


class UnreadableMove(Refusal):
    """The text is no move at all."""


class AmbiguousMove(Refusal):
    """The text fits more than one legal move."""


class IllegalMove(Refusal):
    """The text is a move, but the rules do not allow it here."""


class NotYourTurn(Refusal):
    """The other side is to act, or nobody is."""


class BadSetup(Refusal):
    """A set-up that the rules do not allow. `faults` lists everything that is wrong with it."""

    faults: tuple["BadSetup", ...] = ()

    @classmethod
    def of(cls, faults: "list[BadSetup]") -> "BadSetup":
        """The first fault, which carries them all."""
        first = faults[0]
        first.faults = tuple(faults)
        return first


class BadPosition(Refusal):
    """A position text that cannot be read."""


class BadRecord(Refusal):
    """A game record that cannot be read, or does not play through."""


class UnknownRuleset(Refusal, ValueError):  # noqa: N818 - named like its kin.
    """A preset, a switch or the value of a switch that does not exist."""


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
    """A count from one on as a word that begins a sentence; beyond twelve its digits."""
    return NUMBERS[number - 1] if number <= len(NUMBERS) else str(number)
