"""Measurements of the running service, read from the database, which all processes share.

Each reads a single row, or an index up to a limit, so frequent polling is cheap however much is
stored. Only the mail listener is asked directly. They describe the service and reveal nothing about
a player or match.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max, Min, Q, QuerySet
from django.db.models.functions import Greatest

from config.backups.freshness import Freshness, freshness
from games.house.playing import seats
from games.mail.inbound import listener_probe
from games.notifications.email.sending.server_faults import ServerFault
from games.notifications.models import Mailbox
from games.outbox.delivery import retries
from games.outbox.handling import ServiceUnavailable
from games.outbox.models import PENDING, Dispatch
from games.play.clocks import breaker, heartbeat, outages
from games.play.commands import health
from games.play.models.match import Match, Player
from lib.db_clock import now

MAX_ROWS = 10_000  # of the outbox
MAX_COUNTED = 100_000  # matches and clocks; the maximum then means "at least"
DEAD_WINDOW = timedelta(days=1)
REPORT_WINDOW = timedelta(days=1)
# With a mail server that accepts nothing, each row is retried every 30 seconds.
FAILING_ATTEMPTS = 20  # ten minutes
LISTENER_SECONDS = 3.0  # for the mail listener to answer
ZERO = timedelta(0)


class Measurements(NamedTuple):
    """The state of the service now."""

    heartbeat_age: timedelta | None  # None before the first heartbeat
    sweep_lag: timedelta  # how long ago the next deadline should have been checked
    waiting: int  # rows of the outbox, due or not
    due_age: timedelta  # of the oldest due row
    is_held: bool  # whether HOLD_EMAILS pauses all delivery
    unsendable: int  # rows whose mail server has accepted nothing for ten minutes
    server_fault: str  # why: a ServerFault or the name of an exception; "" if all is well
    refused: int  # e-mails that wait because mail servers refuse them for a fault on our side
    refusals: tuple[str, ...]  # some of their codes, such as 5.7.1
    many_refused: bool  # whether e-mails are held because many mailboxes were refused at once
    returned: int  # readers whose e-mails bounced within a day for a fault on our side
    returns: tuple[str, ...]  # some of their codes
    dead: int  # rows given up within a day
    held: int | None  # players whose time-outs a halt holds back; None without a halt
    owed: int  # outages that are not yet credited to all clocks
    owed_age: timedelta  # since the end of the oldest of them
    failing_servers: dict[str, str]  # web servers: the failure of each, by URL
    failing_proxies: dict[str, str]  # likewise
    broken_matches: list[int]  # running matches that lack their newest ply
    is_listening: bool | None  # whether the mail listener answers; None if there is none
    house_age: timedelta  # of the oldest turn that a house opponent has not answered
    backups: Freshness


class Sizes(NamedTuple):
    """How much is stored; only for monitors."""

    running_matches: int
    running_clocks: int
    matches: int  # ever opened
    plies: int  # an estimate on PostgreSQL
    posted: int  # rows of the outbox, ever


def measure() -> Measurements:
    """Measure, by eleven or twelve small queries and a connection to the mail listener."""
    at = now()
    beat, halt = heartbeat.newest(), breaker.open_halt()
    check_at = Player.objects.filter(check_at__isnull=False).aggregate(at=Min("check_at"))["at"]
    owed = outages.owed().aggregate(count=Count("pk"), end=Min("end"))
    outbox = _outbox(at)
    failing = {server.url: server.failure for server in health.failing_servers()}
    returned = Mailbox.objects.filter(reported_at__gt=at - REPORT_WINDOW).aggregate(
        count=Count("pk"), first=Min("reported"), last=Max("reported")
    )
    return Measurements(
        heartbeat_age=None if beat is None else max(at - beat.last_beat_at, ZERO),
        sweep_lag=_since(check_at, at),
        waiting=outbox["waiting"],
        due_age=_since(outbox["due"], at),
        is_held=settings.HOLD_EMAILS,
        unsendable=outbox["unsendable"],
        server_fault=(outbox["fault"] or "").partition("(")[2].rstrip(")"),
        refused=outbox["refused"],
        refusals=_distinct(*(_second_word(outbox[name]) for name in ("first", "last"))),
        many_refused=bool(outbox["many"]),
        returned=returned["count"],
        returns=_distinct(returned["first"], returned["last"]),
        dead=Dispatch.objects.filter(dead_at__gt=at - DEAD_WINDOW).count(),
        held=halt.overdue if halt else None,
        owed=owed["count"],
        owed_age=_since(owed["end"], at),
        failing_servers={url: why for url, why in failing.items() if url in settings.WEB_URLS},
        failing_proxies={url: why for url, why in failing.items() if url in settings.PROXY_URLS},
        broken_matches=health.broken_matches(),
        is_listening=listener_probe.is_open(LISTENER_SECONDS),
        house_age=_since(seats.owed_since(at), at),
        backups=freshness(at),
    )


def sizes() -> Sizes:
    """The sizes, by five small queries."""
    return Sizes(
        running_matches=_count(Match.objects.filter(finished_at=None)),
        running_clocks=_count(Player.objects.filter(check_at__isnull=False)),
        # Matches are never deleted, and the outbox keeps its newest row.
        matches=Match.objects.aggregate(last=Max("pk"))["last"] or 0,
        plies=_plies(),
        posted=Dispatch.objects.aggregate(last=Max("pk"))["last"] or 0,
    )


def _outbox(at: datetime) -> dict[str, Any]:
    """Aggregates of the pending rows, by one query in the order in which they are due."""
    # Urgent rows have an earlier not_before, so that they go first.
    since = Greatest("not_before", "created_at")
    rows = Dispatch.objects.filter(PENDING).order_by("not_before").annotate(since=since)[:MAX_ROWS]
    # A wrong setting counts at once; an unreachable server only after several attempts.
    away = Q(attempts__gte=FAILING_ATTEMPTS) & retries.SERVICE_UNAVAILABLE
    wrong = Q(error__in=[retries.describe(ServiceUnavailable(fault)) for fault in ServerFault])
    return rows.aggregate(
        waiting=Count("pk"),
        due=Min("since", filter=Q(since__lte=at)),
        unsendable=Count("pk", filter=away | wrong),
        fault=Max("error", filter=away | wrong),
        refused=Count("pk", filter=retries.OWN_FAULTS),
        many=Count("pk", filter=retries.MANY_REFUSED),
        first=Min("error", filter=retries.OWN_FAULTS),
        last=Max("error", filter=retries.OWN_FAULTS),
    )


def _second_word(error: str | None) -> str:
    return (error or "").partition(" ")[2].partition(" ")[0]


def _distinct(*codes: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, codes)))


def _count(rows: QuerySet[Any]) -> int:
    return rows.order_by()[:MAX_COUNTED].count()


# Not counted, since there may be millions: PostgreSQL keeps an estimate, right within a tenth, and
# SQLite's highest rowid is close to the count.
PLIES = {
    "postgresql": "SELECT reltuples::bigint FROM pg_class WHERE oid = 'play_ply'::regclass",
    "sqlite": "SELECT max(rowid) FROM play_ply",
}


def _plies() -> int:
    with connection.cursor() as cursor:
        cursor.execute(PLIES[connection.vendor])
        # PostgreSQL has -1 before its first estimate.
        return max(cursor.fetchone()[0] or 0, 0)


def _since(instant: datetime | None, at: datetime) -> timedelta:
    return ZERO if instant is None else max(at - instant, ZERO)
