"""Cache of the protocol lines of seats of the house."""

from collections import OrderedDict
from typing import Any, NamedTuple

from accounts.models import User
from games.play.record.seat_history import SeatHistory, Turn, seat_history
from games.play.record.seat_lines import lines_of

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
