"""Cross tables as texts: read with all checks, and standings as plain values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from games.competitions.ranking.signs import FACING, faces
from games.competitions.ranking.standings import Line, standings

MIN_PLAYERS, MAX_PLAYERS = 2, 100
DIAGONAL = "*"


class BadTableError(ValueError):
    """A cross table cannot be read; the text says what would be right."""


def rank(given: object) -> list[dict[str, Any]]:
    """The standings of a group: the value of JSON in, plain values out. Raises BadTableError.

    In: {"matches": 1 or 2, "players": names by lot, "withdrawn": names, "cross": a text a row}.
    """
    if not isinstance(given, dict):
        raise BadTableError("The table is no object with matches, players, withdrawn and cross.")
    matches = given.get("matches", 1)
    if type(matches) is not int or matches not in (1, 2):
        raise BadTableError("matches is 1, or 2 for sets.")
    players = _names(given.get("players"), "players")
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise BadTableError(f"A table has {MIN_PLAYERS} to {MAX_PLAYERS} players.")
    withdrawn = _names(given.get("withdrawn", []), "withdrawn")
    unknown = [name for name in withdrawn if name not in players]
    if unknown:
        raise BadTableError(f"{unknown[0]!r} withdrew and is none of the players.")
    cross = _cross(given.get("cross"), len(players), matches)
    lines = standings(cross, matches, {players.index(name) for name in withdrawn})
    return [{**values(line), "player": players[line.lot]} for line in lines]


def values(line: Line) -> dict[str, Any]:
    """A line of standings as plain values; the player is left to the caller."""
    numbers = line.numbers
    return {
        "place": line.place,
        "player": None,
        "points": decimal(numbers and numbers.points),
        "direct": decimal(numbers and numbers.direct),
        "sb": decimal(numbers and numbers.sonneborn_berger),
        "wins": numbers and numbers.wins,
        "status": line.status.value,
    }


def decimal(number: Fraction | None) -> str | None:
    """A multiple of a quarter as decimal text without trailing zeros."""
    if number is None:
        return None
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def _names(given: object, where: str) -> list[str | int]:
    fine = isinstance(given, list) and all(type(name) in (str, int) and name for name in given)
    if not isinstance(given, list) or not fine:
        raise BadTableError(f"{where} is a list of names.")
    if len(set(map(str, given))) != len(given):
        raise BadTableError(f"{where} has a name twice.")
    return given


def _cross(given: object, players: int, matches: int) -> list[list[str]]:
    if not isinstance(given, list) or len(given) != players:
        raise BadTableError(f"cross is a list of {players} rows, one for each player.")
    cross = [_row(row, lot, players, matches) for lot, row in enumerate(given)]
    for lot in range(players):
        for other in range(lot):
            if not faces(cross[lot][other], cross[other][lot]):
                raise BadTableError(
                    f"Row {lot + 1} has {cross[lot][other]!r} against {other + 1}, whose row has "
                    f"{cross[other][lot]!r}: these cannot face each other."
                )
    return cross


def _row(given: object, lot: int, players: int, matches: int) -> list[str]:
    where = f"Row {lot + 1} of cross"
    if not isinstance(given, str):
        raise BadTableError(f"{where} is no text such as '* 1 ='.")
    cells = given.split()
    if len(cells) != players:
        raise BadTableError(f"{where} has {len(cells)} cells, not {players}.")
    for other, cell in enumerate(cells):
        if other == lot:
            if set(cell) != {DIAGONAL}:
                raise BadTableError(f"{where} has {cell!r} on the diagonal, not {DIAGONAL}.")
        elif len(cell) != matches or not set(cell) <= set(FACING):
            raise BadTableError(
                f"{where} has {cell!r} as cell {other + 1}, not {matches} of {' '.join(FACING)}"
            )
    return cells
