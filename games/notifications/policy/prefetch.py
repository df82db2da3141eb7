"""Prefetch of the matches that the e-mails of a batch are about, many in one query.

Asked one by one, the database would cost nearly as much as writing and sending the e-mails. What
was read is used for a second at most: what an e-mail says is to be true when it leaves.
"""

import time
from collections.abc import Iterator, Sequence

from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.play.record.match_view import MatchView, prefetch_matches

READ_AHEAD_ROWS = 50
# What is older is read again: a slow mail server gives players time to move.
FRESH_SECONDS = 1.0


class Prefetch:
    """The matches of a batch as their readers see them."""

    def __init__(self, rows: Sequence[Dispatch]) -> None:
        self._rows = rows
        self._unseen: set[int] = set()  # what was read for these dispatches is still to be used

    @classmethod
    def of(cls, batch: Batch) -> "Prefetch":
        return batch.keep("prefetch", lambda: cls(batch.rows))

    def view(self, dispatch: Dispatch) -> MatchView:
        """What the reader sees of the match; raises Match.DoesNotExist."""
        if dispatch.pk not in self._unseen or time.monotonic() > self._stale:
            self._read_from(dispatch)
        self._unseen.discard(dispatch.pk)
        try:
            found = self._matches[dispatch.ref["match"]]
        except KeyError:
            raise Match.DoesNotExist from None
        return found.view(dispatch.user)

    def unseen(self) -> Iterator[tuple[Dispatch, Match]]:
        """The rows whose matches were read ahead and not looked at yet, with these matches."""
        for row in self._rows:
            found = self._matches.get(row.ref["match"]) if row.pk in self._unseen else None
            if found is not None:
                yield row, found.row.match

    def close(self) -> None:
        """Nothing of it is held open."""

    def _read_from(self, dispatch: Dispatch) -> None:
        self._stale = time.monotonic() + FRESH_SECONDS
        place = self._rows.index(dispatch) if dispatch in self._rows else 0
        rows = self._rows[place : place + READ_AHEAD_ROWS] or [dispatch]
        about = [row for row in rows if "match" in row.ref]
        readers = {row.user_id for row in about if row.user_id}
        self._matches = prefetch_matches({row.ref["match"] for row in about}, readers)
        self._unseen = {row.pk for row in about}
