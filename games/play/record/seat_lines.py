"""Protocol lines of a seat, made from what its player has seen (docs/bots.md).

House opponents and programs that play over the API get their lines from here.
"""

from collections.abc import Iterable
from typing import Any

from games.play.models.kind import PlyKind
from games.play.record.seat_history import SeatHistory, Turn
from games.play.record.snapshot import Entry
from games.protocol.writing import (
    NO_RESULT,
    HeardActions,
    end_line,
    hear_line,
    opening_volley,
    request_line,
)
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import notation

SECONDS = 2.0  # of processor time; for information


def lines_of(history: SeatHistory) -> list[dict[str, Any]]:
    """A request line for each turn of the seat, newest last; only the last lists legal moves."""
    lines = [_request(history, turn) for turn in history.turns]
    for line in lines[:-1]:
        line.pop("legal", None)
    return lines


def lines_to_continue(history: SeatHistory) -> list[dict[str, Any]]:
    """All lines that a program needs to play on from any state of a match, oldest first.

    A "hear" line for each turn that was played; then the request that is still to be answered, or
    the end of the match, or nothing while the other side is to act. Each line has `match` and `at`,
    the ply at which it was the newest.
    """
    lines = []
    for turn in history.turns:
        line = _request(history, turn)
        if turn.played:
            answer = notation.read_annotated(history.match.rules, turn.played).text
            line = hear_line(line, answer)
        lines.append(_placed(history, line, turn.number))
    if not history.match.is_live and history.match.ply > history.after:
        lines.append(_placed(history, _end(history), history.match.ply))
    return lines


def _placed(history: SeatHistory, line: dict[str, Any], at: int) -> dict[str, Any]:
    return line | {"match": history.match.pk, "at": at}


def _request(history: SeatHistory, turn: Turn) -> dict[str, Any]:
    rules = history.match.rules
    heard = _heard(rules, turn.since)
    line = request_line(rules, turn.observation, history.seat, heard, SECONDS)
    return line | _switches(history)


def _end(history: SeatHistory) -> dict[str, Any]:
    match = history.match
    heard = _heard(match.rules, history.since)
    result = match.result or NO_RESULT
    line = end_line(match.rules, history.seat, heard, result, match.reason)
    return line | _switches(history)


def _switches(history: SeatHistory) -> dict[str, Any]:
    return {"switches": history.match.switches} if history.match.switches else {}


def _heard(rules: Ruleset, entries: Iterable[Entry]) -> HeardActions:
    return [action for entry in entries if (action := _action(rules, entry)) is not None]


def _action(rules: Ruleset, entry: Entry) -> tuple[str, str] | None:
    """The seat's letter and the text of a move or opening; None for other plies."""
    if entry.kind == PlyKind.MOVE and entry.seat is not None:
        return rules.seat_letters[entry.seat], entry.text
    if entry.kind == PlyKind.SETUP and entry.text.strip():
        return opening_volley(entry.text)
    return None
