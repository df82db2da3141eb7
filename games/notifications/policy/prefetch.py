"""Prefetch of the matches that the e-mails of a batch are about, many in one query.

Single queries would take nearly as long as writing and sending the e-mails. A prefetched match is
used for a second at most, so that an e-mail is true when it is sent.
"""

import time
from collections.abc import Iterator, Sequence

from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.play.record.match_queries import MatchRow
from games.play.record.match_view import MatchView, prefetch_matches

READ_AHEAD_ROWS = 50
# Older matches are read again: with a slow mail server, players may have moved since.
FRESH_SECONDS = 1.0


class Prefetch:
    """The matches of a batch as their readers see them."""

    def __init__(self, rows: Sequence[Dispatch]) -> None:
        self._rows = rows
        self._unused: set[int] = set()  # ids of rows whose prefetched match was not used yet

    @classmethod
    def for_batch(cls, batch: Batch) -> "Prefetch":
        """The prefetch that all e-mails of this batch share."""
        return batch.keep("prefetch", lambda: cls(batch.rows))

    def view(self, dispatch: Dispatch) -> MatchView:
        """The match as the row's reader sees it; raises Match.DoesNotExist."""
        if dispatch.pk not in self._unused or time.monotonic() > self._stale:
            self._read_from(dispatch)
        self._unused.discard(dispatch.pk)
        try:
            prefetched = self._matches[dispatch.ref["match"]]
        except KeyError:
            raise Match.DoesNotExist from None
        return prefetched.view(dispatch.user)

    def may_have_plan(self, dispatch: Dispatch) -> bool:
        """Whether the row's reader has a plan in its match.

        What was read a while ago is enough: a plan for a turn is older than the row.
        """
        if dispatch.pk not in self._unused:
            self._read_from(dispatch)
        prefetched = self._matches.get(dispatch.ref["match"])
        players = prefetched.row.players.values() if prefetched else ()
        rows = (one.plan_row for one in players if one.user_id == dispatch.user_id)
        return any(row[0] is not None for row in rows)

    def forget(self, dispatch: Dispatch) -> None:
        """Read the match again at its next use, as it has changed."""
        self._unused.discard(dispatch.pk)

    def unused(self) -> Iterator[tuple[Dispatch, MatchRow]]:
        """The rows whose prefetched matches were not used yet, with these matches."""
        for row in self._rows:
            prefetched = self._matches.get(row.ref["match"]) if row.pk in self._unused else None
            if prefetched is not None:
                yield row, prefetched.row

    def close(self) -> None:
        """Does nothing; a batch closes all its resources."""

    def _read_from(self, dispatch: Dispatch) -> None:
        self._stale = time.monotonic() + FRESH_SECONDS
        place = self._rows.index(dispatch) if dispatch in self._rows else 0
        rows = self._rows[place : place + READ_AHEAD_ROWS] or [dispatch]
        of_matches = [row for row in rows if "match" in row.ref]
        readers = {row.user_id for row in of_matches if row.user_id}
        self._matches = prefetch_matches({row.ref["match"] for row in of_matches}, readers)
        self._unused = {row.pk for row in of_matches}
