"""Times the ORM against PreparedQuery and PreparedInsert, on SQLite in memory.

The queries of a match page, the look-up of a stored response, and the rows that a move writes.

python -m tests.bench.prepared_queries
"""

from functools import partial
from typing import Any

import tests.environment  # noqa: F401 - the settings of the tests

import django  # isort: skip

django.setup()

from collections.abc import Callable, Iterable, Iterator  # noqa: E402
from itertools import count  # noqa: E402
from time import process_time  # noqa: E402

from django.db import models  # noqa: E402
from django.test.utils import setup_databases, teardown_databases  # noqa: E402

from accounts.user_sessions import store  # noqa: E402
from games.idempotency import replay  # noqa: E402
from games.idempotency.models import StoredResponse  # noqa: E402
from games.outbox import publishing  # noqa: E402
from games.outbox.models import Dispatch  # noqa: E402
from games.play.lists import waiting  # noqa: E402
from games.play.models.ply import Ply  # noqa: E402
from games.play.record import match_queries, match_store, match_view  # noqa: E402
from games.play.record.sealed import drafts  # noqa: E402
from lib.database.prepared_inserts import PreparedInsert  # noqa: E402
from tests.play import match_helpers  # noqa: E402

CALLS, ROUNDS = 100, 9


def microseconds(ask: Callable[[], Iterable[object]]) -> float:
    """Processor time of one call, the minimum of several rounds, since other load only adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(CALLS):
            list(ask())
        best = min(best, process_time() - start)
    return best / CALLS * 1e6


def main() -> None:
    databases = setup_databases(verbosity=0, interactive=False)
    people = match_helpers.people()
    match = match_helpers.running_match(people, *match_helpers.FIRST_MOVES)
    reader = people.alice.pk
    player = match.players.get(user=reader)
    queries: dict[str, tuple[Any, dict[str, Any]]] = {
        "match and players": (
            match_queries._rows_for_page,
            {"match_id": match.pk, "reader_id": reader},
        ),
        "plies": (match_view._plies, {"match_id": match.pk, "first": 0, "last": match.ply}),
        "draft": (drafts._stored, {"player_id": player.pk}),
        "session and its user": (store._stored, {"key": "no such session"}),
        "what waits": (waiting._counts, {"user_id": reader}),
        "stored response": (replay._following, {"user_id": reader, "key": replay.new_key(reader)}),
    }
    for name, (query, values) in queries.items():
        orm = microseconds(partial(query.build, **values))
        prepared = microseconds(partial(query, **values))
        print(f"{name:20}{orm:8.0f} µs by the ORM {prepared:8.0f} µs prepared")
    numbers = count(1000)
    at = match.created_at
    rows: dict[str, tuple[PreparedInsert, Callable[[int], models.Model]]] = {
        "row of a ply": (
            match_store._insert_ply,
            lambda number: Ply(
                match=match, number=number, kind="move", text="a4-a5", sealed=b"s", at=at, head=b"h"
            ),
        ),
        "row of the outbox": (
            publishing._insert,
            lambda number: Dispatch(
                ref={"ply": number}, dedupe=str(number), created_at=at, not_before=at
            ),
        ),
        "row of a response": (
            replay._insert,
            lambda number: StoredResponse(
                user_id=reader, key=str(number), digest=b"d", status=302, location="/", at=at
            ),
        ),
    }
    for name, (insert, row) in rows.items():
        orm = microseconds(partial(_by_orm, row, numbers))
        prepared = microseconds(partial(_prepared, insert, row, numbers))
        print(f"{name:20}{orm:8.0f} µs by the ORM {prepared:8.0f} µs prepared")
    teardown_databases(databases, verbosity=0)


def _by_orm(row: Callable[[int], models.Model], numbers: Iterator[int]) -> Iterable[object]:
    made: Any = row(next(numbers))
    return type(made).objects.bulk_create([made])  # type: ignore[no-any-return]


def _prepared(
    insert: PreparedInsert, row: Callable[[int], models.Model], numbers: Iterator[int]
) -> Iterable[object]:
    return [insert.insert_row(row(next(numbers)))]


if __name__ == "__main__":
    main()
