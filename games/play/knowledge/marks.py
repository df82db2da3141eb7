"""Marks: a player's guess, word and colour on a piece of the opponent, by its first square."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from games.play.record.sealed import notebooks
from games.play.refusals import NotNow
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset

MAX_WORD_CHARACTERS = 20

COLOURS = {
    "red": gettext_noop("red"),
    "yellow": gettext_noop("yellow"),
    "green": gettext_noop("green"),
    "blue": gettext_noop("blue"),
}


class Mark(NamedTuple):
    """A player's mark on a piece; each part may be empty. `guess` is a rank."""

    guess: str = ""
    word: str = ""
    colour: str = ""

    def __repr__(self) -> str:
        return "<Mark>"


def load(text: str) -> dict[str, Mark]:
    """The marks of a stored text, by the first squares of the pieces."""
    return {square: Mark(*mark) for square, mark in json.loads(text or "{}").items()}


def read_mark(rules: Ruleset, guess: str, word: str, colour: str) -> Mark:
    """A mark from the fields of a form; raises NotNow."""
    word = " ".join(word.split())
    if guess and guess not in {troop.rank for troop in rules.army}:
        raise NotNow(gettext_noop("Choose one of the pieces of this game, or none."))
    if colour and colour not in COLOURS:
        raise NotNow(gettext_noop("Choose one of the colours, or none."))
    if len(word) > MAX_WORD_CHARACTERS:
        raise NotNow(
            gettext_noop("A mark has at most %(most)s characters, and this one has %(count)s."),
            most=MAX_WORD_CHARACTERS,
            count=len(word),
        )
    return Mark(guess, word, colour)


def put(player_id: int, square: str, mark: Mark) -> None:
    """Mark the piece that began on a square; an empty mark removes the stored one."""

    def change(text: str) -> str:
        there = load(text)
        there.pop(square, None)
        if any(mark):
            there[square] = mark
        return json.dumps(there) if there else ""

    notebooks.change_marks(player_id, change)


def sign(mark: Mark) -> str:
    """The text of a mark on the board: the guess as the piece's letters, and the word."""
    guess = f"{mark.guess}?" if mark.guess else ""
    return " ".join(part for part in (guess, mark.word) if part)


def mark_of(marked: Mapping[str, Mark], square: str) -> Mark:
    """The mark of the piece that began on a square; an empty one if it has none."""
    return marked.get(square, Mark())
