"""CSV tables of units: as commands read them, and as they print them with the ratings."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import TextIO

from games.ratings.glicko.counting import Facts, Rated
from games.ratings.glicko.formula import State

HOW = ("board", "resign", "draw", "time")
COLUMNS = (
    *("number", "finished_at", "final_at", "a", "b", "score"),
    *("least_turns", "how", "loser_last_ply_at", "taken_out"),
)
OF_STATE = ("rating", "rd", "vol")
STATES = tuple(
    f"{side}_{when}_{part}" for side in "ab" for when in ("before", "after") for part in OF_STATE
)
HEADER = (*COLUMNS, "counted", "why", *STATES)
PLACES = 6  # decimals of ratings


class BadTableError(ValueError):
    """A table cannot be read; the text says which row, and what would be right."""


def read(file: TextIO) -> list[tuple[dict[str, str], Facts]]:
    """The rows of a table with their facts, by number. Raises BadTableError."""
    reader = csv.DictReader(file)
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise BadTableError(f"The first line lacks the columns {', '.join(missing)}.")
    rows = []
    try:
        for row in reader:
            rows.append((row, _facts(row, f"Line {reader.line_num}")))
    except csv.Error as fault:
        raise BadTableError(f"Line {reader.line_num} is no CSV: {fault}.") from None
    rows.sort(key=lambda pair: pair[1].number)
    for (_row, before), (_next, after) in pairwise(rows):
        if after.number == before.number:
            raise BadTableError(f"Two rows have the number {after.number}.")
        if after.final_at < before.final_at:
            raise BadTableError(
                f"final_at of number {after.number} is earlier than that of {before.number}."
            )
    return rows


def line(columns: Mapping[str, str], rated: Rated) -> list[str]:
    """A row of the printed table; the states are empty if the unit does not count."""
    states: list[State | None] = [None] * 4
    if rated.before is not None and rated.after is not None:
        states = [rated.before[0], rated.after[0], rated.before[1], rated.after[1]]
    known = [columns[name] for name in COLUMNS]
    return [*known, str(int(rated.counted)), rated.why, *_numbers(states)]


def instant(at: datetime | None) -> str:
    """An instant as tables have it; "" for none."""
    return "" if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def decimal(number: float) -> str:
    """A number without trailing zeros."""
    return f"{number:g}"


def _numbers(states: Iterable[State | None]) -> Iterator[str]:
    for state in states:
        if state is None:
            yield from ("", "", "")
        else:
            values = (state.rating, state.deviation, state.volatility)
            yield from (f"{value:.{PLACES}f}" for value in values)


def _facts(row: Mapping[str, str | None], where: str) -> Facts:
    text = {name: (row[name] or "").strip() for name in COLUMNS}
    if not text["a"] or not text["b"]:
        raise BadTableError(f"{where}: a and b are names of players, not empty.")
    if text["a"] == text["b"]:
        raise BadTableError(f"{where}: a and b are the same player, {text['a']}.")
    if text["how"] not in HOW:
        raise BadTableError(f"{where}: how is {text['how']!r}, not one of {', '.join(HOW)}.")
    if text["taken_out"] not in ("", "0", "1"):
        raise BadTableError(f"{where}: taken_out is {text['taken_out']!r}, not 0 or 1.")
    last = text["loser_last_ply_at"]
    return Facts(
        number=_whole(text["number"], where, "number"),
        finished_at=_instant(text["finished_at"], where, "finished_at"),
        final_at=_instant(text["final_at"], where, "final_at"),
        a=text["a"],
        b=text["b"],
        score=_score(text["score"], where),
        least_turns=_whole(text["least_turns"], where, "least_turns"),
        lost_on_time=text["how"] == "time",
        loser_last_ply_at=_instant(last, where, "loser_last_ply_at") if last else None,
        taken_out=text["taken_out"] == "1",
    )


def _whole(text: str, where: str, name: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise BadTableError(f"{where}: {name} is {text!r}, not a whole number of 0 or more.")
    return int(text)


def _score(text: str, where: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if score not in (0, 0.25, 0.5, 0.75, 1):
        raise BadTableError(f"{where}: score is {text!r}, not 0, 0.25, 0.5, 0.75 or 1.")
    return score


def _instant(text: str, where: str, name: str) -> datetime:
    """An instant; without an offset it is UTC."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadTableError(
            f"{where}: {name} is {text!r}, not an instant such as 2026-11-26T12:00:00Z."
        ) from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
