"""Times the match page's small queries: the ORM against PreparedQuery, on SQLite in memory.

python -m tests.bench.prepared_queries
"""

from functools import partial
from typing import Any

import tests.environment  # noqa: F401 - the settings of the tests

import django  # isort: skip

django.setup()

from collections.abc import Callable, Iterable  # noqa: E402
from time import process_time  # noqa: E402

from django.test.utils import setup_databases, teardown_databases  # noqa: E402

from accounts.user_sessions import store  # noqa: E402
from games.play.lists import waiting  # noqa: E402
from games.play.record import match_queries, match_view  # noqa: E402
from games.play.record.sealed import drafts  # noqa: E402
from tests.play import match_helpers  # noqa: E402

CALLS, ROUNDS = 100, 9


def microseconds(ask: Callable[[], Iterable[object]]) -> float:
    """Processor time of one call, in the best of several rounds: other load cannot shorten it."""
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
    }
    for name, (query, values) in queries.items():
        orm = microseconds(partial(query.build, **values))
        prepared = microseconds(partial(query, **values))
        print(f"{name:20}{orm:8.0f} µs by the ORM {prepared:8.0f} µs prepared")
    teardown_databases(databases, verbosity=0)


if __name__ == "__main__":
    main()
