"""Protocol lines of one seat of a match, made from what its player has seen (docs/bots.md)."""

from typing import Any

from games.play.models.kind import PlyKind
from games.play.record.seat_history import SeatHistory, Turn
from games.play.record.snapshot import Entry
from games.protocol.writing import opening_volley, request_line
from games.rules.core.ruleset.base import Ruleset

SECONDS = 2.0  # of processor time; for information


def lines_of(history: SeatHistory) -> list[dict[str, Any]]:
    """The request of each turn of the seat, the newest last; only that one lists legal moves."""
    lines = [_line(history, turn) for turn in history.turns]
    for line in lines[:-1]:
        line.pop("legal", None)
    return lines


def _line(history: SeatHistory, turn: Turn) -> dict[str, Any]:
    rules = history.match.rules
    heard = [action for entry in turn.since if (action := _action(rules, entry)) is not None]
    line = request_line(rules, turn.observation, history.seat, heard, SECONDS)
    if history.match.switches:
        line["switches"] = history.match.switches
    return line


def _action(rules: Ruleset, entry: Entry) -> tuple[str, str] | None:
    """The public action of a ply; None for resignations, offers and clocks."""
    if entry.kind == PlyKind.MOVE and entry.seat is not None:
        return rules.seat_letters[entry.seat], entry.text
    if entry.kind == PlyKind.SETUP and entry.text.strip():
        return opening_volley(entry.text)
    return None
