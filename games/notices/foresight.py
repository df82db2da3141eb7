"""What the letters of a batch will ask for, read for several at once.

Asked one by one, the database would cost nearly as much as writing and sending the letters. What
was read is used for a second at most: what letters say is to be true when they leave.
"""

import time
from collections.abc import Sequence

from games.play.models.match import Match
from games.play.sight import Look, newest
from games.relay.models import Dispatch
from games.relay.outbox import Batch

AHEAD = 50  # dispatches
FRESH = 1.0  # seconds; older than that, it is read again: a slow mail server gives time to move


class Foresight:
    """The matches of a batch as their readers see them."""

    def __init__(self, rows: Sequence[Dispatch]) -> None:
        self._rows = rows
        self._unseen: set[int] = set()  # what was read for these dispatches is still to be used

    @classmethod
    def of(cls, batch: Batch) -> "Foresight":
        return batch.keep("foresight", lambda: cls(batch.rows))

    def look(self, dispatch: Dispatch) -> Look:
        """What the reader sees of the match; raises Match.DoesNotExist."""
        if dispatch.pk not in self._unseen or time.monotonic() > self._stale:
            self._read_from(dispatch)
        self._unseen.discard(dispatch.pk)
        try:
            found = self._matches[dispatch.ref["match"]]
        except KeyError:
            raise Match.DoesNotExist from None
        return found.look(dispatch.user)

    def close(self) -> None:
        """Nothing of it is held open."""

    def _read_from(self, dispatch: Dispatch) -> None:
        self._stale = time.monotonic() + FRESH
        place = self._rows.index(dispatch) if dispatch in self._rows else 0
        rows = self._rows[place : place + AHEAD] or [dispatch]
        about = [row for row in rows if "match" in row.ref]
        readers = {row.user_id for row in about if row.user_id}
        self._matches = newest({row.ref["match"] for row in about}, readers)
        self._unseen = {row.pk for row in about}
