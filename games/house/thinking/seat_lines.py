"""Lines of the protocol (docs/bots.md) for a seat of a match, from what its player has seen."""

from typing import Any

from games.play.models.kind import PlyKind
from games.play.record.seat_history import SeatHistory, Turn
from games.play.record.snapshot import Entry
from games.protocol.writing import first_volley, line_of
from games.rules.core.ruleset.base import Ruleset

SECONDS = 2.0  # of processor time, told for information


def lines_of(history: SeatHistory) -> list[dict[str, Any]]:
    """What the seat would have been asked at each of its turns, the last of them the newest."""
    lines = [_line(history, turn) for turn in history.turns]
    for line in lines[:-1]:
        # Long ago answered; a brain that hears of them wants none of it.
        line.pop("legal", None)
    return lines


def _line(history: SeatHistory, turn: Turn) -> dict[str, Any]:
    rules = history.match.rules
    heard = [action for entry in turn.since if (action := _action(rules, entry)) is not None]
    line = line_of(rules, turn.observation, history.seat, heard, SECONDS)
    if history.match.switches:
        line["switches"] = history.match.switches
    return line


def _action(rules: Ruleset, entry: Entry) -> tuple[str, str] | None:
    """What everybody heard of a ply; nothing of resignations, offers and clocks."""
    if entry.kind == PlyKind.MOVE and entry.seat is not None:
        return rules.seat_letters[entry.seat], entry.text
    if entry.kind == PlyKind.SETUP and entry.text.strip():
        return first_volley(entry.text)
    return None
