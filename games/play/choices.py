"""What a reader may do next on the board, and which squares stand out: made from a Look alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from games.play.boards import Ways
from games.play.models.kind import Kind
from games.play.sight import Look
from games.rules.core import notation
from games.rules.core.errors import Refusal


@dataclass(frozen=True)
class Choices:
    """The doors of the board and the states of its squares."""

    moves: tuple[str, ...]  # every legal move of the reader, as text; empty unless it is their turn
    chosen: str  # the square of the piece that is chosen, or ""
    targets: tuple[str, ...]  # the moves of that piece
    ways: Ways
    marks: dict[str, list[str]]


def choices(look: Look, *, chosen: str = "", draft: str = "") -> Choices:
    """The choices on the page of a match; `chosen` and `draft` are what the reader asks for."""
    texts = (
        tuple(notation.write_move(look.rules, move) for move in look.observation.moves)
        if look.my_turn
        else ()
    )
    by_source: dict[str, dict[str, str]] = defaultdict(dict)
    for text in texts:
        squares = _squares(look, text)
        by_source[squares[0]][squares[-1]] = text
    chosen = chosen if chosen in by_source else ""
    targets = by_source[chosen] if chosen else {}
    marks = _last_action(look)
    if draft:
        squares = _squares(look, draft)
        marks[squares[0]].append("draft-from")
        marks[squares[-1]].append("draft-to")
    if chosen:
        marks[chosen].append("chosen")
    return Choices(
        moves=texts,
        chosen=chosen,
        targets=tuple(sorted(targets.values())),
        ways=Ways({square: f"?from={square}#board" for square in by_source}, targets),
        marks=marks,
    )


def _last_action(look: Look) -> dict[str, list[str]]:
    """The squares of the action that led to the ply looked at."""
    marks: dict[str, list[str]] = defaultdict(list)
    entry = look.entry
    if entry.kind != Kind.MOVE:
        return marks
    done = notation.read_annotated(look.rules, entry.text)
    if done.source and done.target:
        marks[done.source].append("last-from")
        marks[done.target].append("battle" if done.battle else "last-to")
    for square, _removed in done.volley:
        marks[square].append("hit")
    return marks


def _squares(look: Look, text: str) -> tuple[str, ...]:
    try:
        return notation.read_annotated(look.rules, text).path or ("",)
    except Refusal:
        return ("",)
