"""Lines of a plan as values, and their canonical English text.

`reading.read_line` reads what `write_line` writes: `read_line(write_line(line)) == line`.
The `repr` of a value shows nothing of what it says.
"""

from dataclasses import dataclass

from games.plan_language.words import Word

MAX_LINES = 40  # after merging
MAX_ANSWERS = 8  # of one line, after merging
MAX_LINE_CHARACTERS = 300  # as typed

DEMOTING = ("+d", "-d")
SIGNS = ("+", "-", "=", *DEMOTING)


@dataclass(frozen=True, repr=False)
class Seen:
    """What a battle has to show: a sign, or the enemy's piece as one of some ranks.

    Either `sign` is one of SIGNS, or `ranks` holds at least one rank as a battle tells it.
    """

    sign: str = ""
    ranks: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.sign or f"[{','.join(sorted(self.ranks))}]"

    def __repr__(self) -> str:
        return "<Seen>"


@dataclass(frozen=True, repr=False)
class Condition:
    """What the opponent's turn has to be.

    `text` is an exact move with the signs of records (`e7-e6`, `d2-d5xe5`, `*d6,c4-c5`), or `x` and
    the square of a piece that was struck (`xd4`), or `quiet`, or `any`.
    """

    text: str
    seen: Seen | None = None

    @property
    def is_exact(self) -> bool:
        """Whether only one very move fits."""
        return not self.is_strike and self.text not in (Word.QUIET, Word.ANY)

    @property
    def is_strike(self) -> bool:
        """Whether every turn fits that strikes a certain square."""
        return self.text.startswith("x")

    @property
    def square(self) -> str:
        """The square of a strike."""
        return self.text.removeprefix("x")

    def __str__(self) -> str:
        return self.text + (str(self.seen) if self.seen else "")

    def __repr__(self) -> str:
        return "<Condition>"


@dataclass(frozen=True, repr=False)
class Step:
    """A condition and its answer, a move with the signs of records.

    `seen` is what the answer has to show for the rest of the line; None: whatever it shows.
    """

    condition: Condition
    answer: str
    seen: Seen | None = None

    def __repr__(self) -> str:
        return "<Step>"


@dataclass(frozen=True, repr=False)
class Line:
    """One line of a plan: steps in their order, at least one. The last one has no `seen`."""

    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        return f"<Line answers={len(self.steps)}>"


def strikes(move: str) -> bool:
    """Whether a move with the signs of records attacks or captures."""
    return "x" in move


def write_line(line: Line) -> str:
    """The canonical text of a line: `if e7xe4[M] then d5xe6+ if quiet then e6-e7`."""
    if len(line.steps) == 1 and line.steps[0].condition == Condition(Word.ANY):
        return f"{Word.OTHERWISE} {line.steps[0].answer}"
    return " ".join(
        f"{Word.IF} {step.condition} {Word.THEN} {step.answer}{step.seen or ''}"
        for step in line.steps
    )
