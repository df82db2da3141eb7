"""P2: a sent move, with everything that follows from it. P3: what PostgreSQL logs of it."""

from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

from tests.bench.meter import Effort, compare, cpu_each, take_turns
from tests.bench.report import Goal, Result, bare, milliseconds
from tests.bench.service import Reader, postgres, serving

MOVE = Goal(must=1.6, aim=1.3)
LOG = Goal(must=2.2, aim=1.5, unit="kB")
EACH = 40  # moves of one match
WRITTEN = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"  # bytes of the write-ahead log


def measure(effort: Effort) -> Iterator[Result]:
    times = effort.times(150)
    matches = (effort.rounds + 1) * times // EACH + 1
    with postgres(durable=True) as server, serving(server) as service:
        made = service.prepare(matches=matches, to_come=EACH)
        players = [Reader(service.url, made["people"][seat]) for seat in ("south", "north")]
        moves = iter(to_send(made["matches"]))

        def send_next() -> None:
            send(players, *next(moves))

        logged: list[float] = []  # kB of the log a move, of each round

        def move() -> float:
            before = service.ask(WRITTEN)
            used = cpu_each(service.everything, times, send_next)
            logged.append(float(service.ask(WRITTEN) - before) / times / 1000)
            return used

        lean = partial(players[0].post, f"/floor/move/{made['games'][0]}/", move="a4-a5")
        figures = take_turns(
            {
                "lean": partial(cpu_each, service.everything, times, lean),
                "move": move,
            },
            effort.rounds,
        )
    comparison = compare(figures["move"], figures["lean"])
    yield Result(
        "P2",
        "move, all of it, CPU",
        milliseconds(comparison.one),
        f"lean move {milliseconds(comparison.other)}",
        comparison.ratio,
        MOVE,
    )
    yield bare("P3", "write-ahead log of PostgreSQL, a move", median(logged[1:]), LOG)


# A match, the ply that the move is meant for, the move and the form's idempotency key.
Sent = tuple[int, int, str, str]


def to_send(matches: list[dict[str, Any]]) -> list[Sent]:
    """The next moves, match by match, each in order."""
    return [
        (match["id"], match["ply"] + number, text, key)
        for match in matches
        for number, (text, key) in enumerate(zip(match["to_come"], match["keys"], strict=True))
    ]


def send(players: list[Reader], match: int, ply: int, text: str, key: str) -> None:
    """Both set-ups are done at ply 2, so South moves on even plies."""
    players[ply % 2].post(f"/match/{match}/move/", move=text, ply=ply, idempotency_key=key)
