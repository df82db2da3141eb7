"""Protocol lines of one seat of a match, made from what its player has seen (docs/bots.md)."""

from collections import OrderedDict
from typing import Any, NamedTuple

from accounts.models import User
from games.play.models.kind import PlyKind
from games.play.record.seat_history import SeatHistory, Turn, seat_history
from games.play.record.snapshot import Entry
from games.protocol.writing import opening_volley, request_line
from games.rules.core.ruleset.base import Ruleset

SECONDS = 2.0  # of processor time; for information
MAX_LINES = 10_000  # kept in this process, about 3 kB each


class Followed(NamedTuple):
    """A seat's match since its last turns, and the lines of all its turns, the newest last."""

    history: SeatHistory
    lines: list[dict[str, Any]]


class LineCache:
    """Lines of earlier turns that this process has made, so that a turn reads only new plies."""

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        self._max_lines = max_lines
        self._count = 0
        # By match and user: the last turn that is kept, and the lines up to it.
        self._kept: OrderedDict[tuple[int, int], tuple[Turn, list[dict[str, Any]]]] = OrderedDict()

    def follow(self, match_id: int, user: User) -> Followed | None:
        """The match as this user's seat has followed it; None without a seat."""
        key = (match_id, user.pk)
        last, earlier = self._take(key) or (None, [])
        history = seat_history(match_id, user, after=-1 if last is None else last.number)
        if last is not None and history is not None and history.head_before != last.head:
            # A restored database gives numbers a second time.
            earlier, history = [], seat_history(match_id, user)
        if history is None:
            return None
        lines = [*earlier, *lines_of(history)]
        # The newest turn may have to be asked about once more, with its legal moves.
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
