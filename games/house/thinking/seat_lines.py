"""Protocol lines of a seat, made from what its player has seen (docs/bots.md)."""

from collections import OrderedDict
from typing import Any, NamedTuple

from accounts.models import User
from games.play.models.kind import PlyKind
from games.play.record.seat_history import SeatHistory, Turn, seat_history
from games.play.record.snapshot import Entry
from games.protocol.writing import opening_volley, request_line
from games.rules.core.ruleset.base import Ruleset

SECONDS = 2.0  # of processor time; for information
MAX_LINES = 10_000  # cached in this process, about 3 kB each


class Followed(NamedTuple):
    """A seat's history since its cached turns, and the lines of all its turns, newest last."""

    history: SeatHistory
    lines: list[dict[str, Any]]


class LineCache:
    """Cache of the lines of earlier turns in this process, so that a turn reads only new plies.

    Holds at most `max_lines` lines; the match used least recently is dropped first.
    """

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        self._max_lines = max_lines
        self._count = 0
        # By match and user: the last cached turn, and the lines up to it.
        self._kept: OrderedDict[tuple[int, int], tuple[Turn, list[dict[str, Any]]]] = OrderedDict()

    def follow(self, match_id: int, user: User) -> Followed | None:
        """The history and lines of this user's seat in a match; None if they have no seat."""
        key = (match_id, user.pk)
        last, earlier = self._take(key) or (None, [])
        history = seat_history(match_id, user, after=-1 if last is None else last.number)
        if last is not None and history is not None and history.head_before != last.head:
            # A database restored from a backup uses match ids again.
            earlier, history = [], seat_history(match_id, user)
        if history is None:
            return None
        lines = [*earlier, *lines_of(history)]
        # The newest turn is not cached: it may be asked for again, with its legal moves.
        settled = history.turns[-2] if len(history.turns) > 1 else last
        if settled is not None:
            self._keep(key, settled, lines[:-1] if history.turns else lines)
        return Followed(history, lines)

    def _take(self, key: tuple[int, int]) -> tuple[Turn, list[dict[str, Any]]] | None:
        kept = self._kept.pop(key, None)
        self._count -= len(kept[1]) if kept else 0
        return kept

    def _keep(self, key: tuple[int, int], last: Turn, lines: list[dict[str, Any]]) -> None:
        self._kept[key] = (last, lines)
        self._count += len(lines)
        while self._count > self._max_lines:
            _key, (_last, oldest) = self._kept.popitem(last=False)
            self._count -= len(oldest)


cache = LineCache()


def lines_of(history: SeatHistory) -> list[dict[str, Any]]:
    """A request line for each turn of the seat, newest last; only the last lists legal moves."""
    lines = [_line(history, turn) for turn in history.turns]
    for line in lines[:-1]:
        line.pop("legal", None)
    return lines


def _line(history: SeatHistory, turn: Turn) -> dict[str, Any]:
    rules = history.match.rules
    actions = [action for entry in turn.since if (action := _action(rules, entry)) is not None]
    line = request_line(rules, turn.observation, history.seat, actions, SECONDS)
    if history.match.switches:
        line["switches"] = history.match.switches
    return line


def _action(rules: Ruleset, entry: Entry) -> tuple[str, str] | None:
    """The seat's letter and the text of a move or opening; None for other plies."""
    if entry.kind == PlyKind.MOVE and entry.seat is not None:
        return rules.seat_letters[entry.seat], entry.text
    if entry.kind == PlyKind.SETUP and entry.text.strip():
        return opening_volley(entry.text)
    return None
