"""What is stored of a practice board: guesses, the moves of a line, and the lines that are kept."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.play.record.sealed import notebooks
from games.play.refusals import NotNow
from games.rules.core.basics.pieces import Rank
from games.rules.core.basics.refusals import gettext_noop

FORMAT = 1  # of the stored text; a text of another format counts as none
MAX_PLIES = 60  # of a line
MAX_LINES = 20
MAX_NAME_CHARACTERS = 60


class Step(NamedTuple):
    """A move of a line as an annotated text, as records have it.

    If it was the move of a hidden piece without a rank, `able` are the ranks that could have made
    it. If a hidden piece fought, `rank` is what the reader took it for. These are the ranks with
    which the pieces stood when the line began.
    """

    text: str
    rank: Rank = ""
    able: tuple[Rank, ...] = ()

    def __repr__(self) -> str:
        return "<Step>"


class KeptLine(NamedTuple):
    """A line under a name, from the ply at which it begins, with the guesses that it was made with.

    A line is `outdated` once the match has taken another way.
    """

    name: str
    ply: int
    guesses: Mapping[str, Rank]
    steps: tuple[Step, ...]
    outdated: bool = False

    def __repr__(self) -> str:
        return "<KeptLine>"


class Practice(NamedTuple):
    """All that a player has on their practice board, as of a ply of the match.

    Guesses are by the square on which a piece began. `version` counts the changes.
    """

    version: int = 0
    ply: int = 0
    guesses: Mapping[str, Rank] = {}
    steps: tuple[Step, ...] = ()
    kept: tuple[KeptLine, ...] = ()

    def __repr__(self) -> str:
        return f"<Practice version={self.version}>"


class PracticeChanged(NotNow):
    """The practice board was changed since its reader loaded it."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "Your practice board was changed elsewhere in the meantime. Nothing was changed "
                "now; look at the board and try again."
            )
        )


def read(player_id: int) -> Practice:
    """The practice board of a player in a match; an empty one if there is none."""
    return load(notebooks.read_practice(player_id))


def put(player_id: int, practice: Practice) -> None:
    """Store a practice board that was made from the stored one; raises PracticeChanged."""

    def change(text: str) -> str:
        if load(text).version != practice.version:
            raise PracticeChanged
        return dump(practice._replace(version=practice.version + 1))

    notebooks.change_practice(player_id, change)


def dump(practice: Practice) -> str:
    """The text to be stored."""
    fields = practice._replace(
        guesses=dict(practice.guesses),
        kept=tuple(line._replace(guesses=dict(line.guesses)) for line in practice.kept),
    )
    return json.dumps([FORMAT, *fields], separators=(",", ":"), ensure_ascii=False)


def load(text: str) -> Practice:
    """The practice board of a stored text; an empty one for "" and for other formats."""
    layout, *fields = json.loads(text) if text else (0,)
    if layout != FORMAT:
        return Practice()
    version, ply, guesses, steps, kept = fields
    lines = tuple(
        KeptLine(name, at, line_guesses, _steps(line_steps), outdated)
        for name, at, line_guesses, line_steps, outdated in kept
    )
    return Practice(version, ply, guesses, _steps(steps), lines)


def _steps(values: list[Any]) -> tuple[Step, ...]:
    return tuple(Step(text, rank, tuple(able)) for text, rank, able in values)
