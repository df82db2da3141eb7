"""Retention: everything is deleted when its period is over, in batches found by an index."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection
from django.db.models import F, Model, Q, UniqueConstraint

from accounts.models import AccessToken, GuessCount, Session, User
from config.personal_data import retention
from games.idempotency.models import StoredApiResponse, StoredResponse
from games.lobby.models import Invitation, InvitationStatus
from games.mail.models import IncomingMessage
from games.notifications.models import AccountEmail, ReplyAddress
from games.outbox.models import Dispatch
from games.people.models import Complaint, Decision, Report, ReportState
from games.play.clocks import breaker
from games.play.models.look import Look
from games.play.models.match import Match, Status
from games.play.models.time import Adjustment, Halt, HeavyRequest, LossOnTime, Outage, Vacation
from games.talk.models import Line
from games.watch.models import Follow
from lib.db_clock import frozen_at, now
from lib.retention import BATCH_ROWS, Kept
from tests.play.match_helpers import People, new_match

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

MINUTE = timedelta(minutes=1)
ROWS = [kept for kept in retention.KEPT if kept.model]
Make = Callable[[People, datetime], object]


# --- Terms


def invitation(who: People, closed: datetime | None, **more: Any) -> Invitation:
    return Invitation.objects.create(
        owner=who.alice,
        kind="seat",
        preset="lattaque-en",
        pace="3d",
        setup_pace="3d",
        created_at=(closed or now()) - MINUTE,
        expires_at=now(),
        closed_at=closed,
        status=more.pop("status", InvitationStatus.WITHDRAWN),
        **more,
    )


def line_of_talk(who: People, ended: datetime) -> Line:
    match = new_match(who)
    Match.objects.filter(pk=match.pk).update(status=Status.CANCELLED, finished_at=ended)
    return Line.objects.create(match=match, number=1, writer=who.alice, at=ended - MINUTE)


def follow(who: People, ended: datetime) -> Follow:
    match = new_match(who)
    return Follow.objects.create(
        match=match, user=who.charlie, since=ended - MINUTE, ended_at=ended
    )


def dispatch(number: object, at: datetime, **marks: object) -> Dispatch:
    row = Dispatch(event="nothing", handler="nothing", dedupe=str(number), created_at=at)
    row.not_before = at
    for mark, value in marks.items():
        setattr(row, mark, value)
    row.save()
    return row


def log_entry(who: People, at: datetime) -> None:
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=who.alice, content_type=kind, object_id="1", object_repr="1", action_flag=2
    )
    LogEntry.objects.update(action_time=at)


def account_email(who: People, at: datetime) -> None:
    AccountEmail.objects.create(sealed="", lasting=True)
    AccountEmail.objects.update(written_at=at)


def incoming(who: People, at: datetime, **more: Any) -> IncomingMessage:
    return IncomingMessage.objects.create(
        key=f"{at}",
        door="reply",
        user=who.alice,
        envelope=b"",
        sealed=b"",
        arrived_at=at,
        taken_at=at,
        **{"done_at": at, **more},
    )


def reply_address(who: People, at: datetime) -> ReplyAddress:
    hashed = f"{at}".encode()
    return ReplyAddress.objects.create(
        token_hash=hashed, purpose="match", user=who.alice, address_of=b"", issued_at=at
    )


def report(who: People, closed: datetime | None, **more: Any) -> Report:
    row = Report.objects.create(
        person=who.alice,
        state=ReportState.CLOSED if closed else ReportState.OPEN,
        opened_at=(closed or now()) - MINUTE,
        closed_at=closed,
        **more,
    )
    Complaint.objects.create(
        report=row, reporter=who.bob, subject="profile", reason="spam", made_at=row.opened_at
    )
    Decision.objects.create(report=row, outcome="warned", reason="!", made_at=row.opened_at)
    return row


# By model: creates a row whose period begins at an instant.
MAKE: dict[type[Model], Make] = {
    User: lambda who, at: User.objects.create_user(
        "Murat", "murat@example.org", pending=True, date_joined=at
    ),
    Look: lambda who, at: Look.objects.create(
        match=new_match(who), asker=who.charlie, reason="!", asked_at=at
    ),
    Session: lambda who, at: Session.objects.create(
        session_key="k", session_data="", expire_date=at, user=who.alice
    ),
    AccessToken: lambda who, at: AccessToken.objects.create(
        user=who.alice, name="t", digest=b"", scopes="read", created_at=at, expires_at=at
    ),
    GuessCount: lambda who, at: GuessCount.objects.create(key="k", until=at, guesses=1),
    LogEntry: log_entry,
    Dispatch: lambda who, at: dispatch("old", at, sent_at=at),
    StoredResponse: lambda who, at: StoredResponse.objects.create(
        user=who.alice, key="k", digest=b"", status=302, location="/", at=at
    ),
    StoredApiResponse: lambda who, at: StoredApiResponse.objects.create(
        user=who.alice, key="k", digest=b"", status=200, body="{}", at=at
    ),
    Adjustment: lambda who, at: Adjustment.objects.create(
        match=new_match(who), kind=Adjustment.Kind.GIFT, at=at
    ),
    Outage: lambda who, at: Outage.objects.create(
        start=at - MINUTE, end=at - MINUTE / 2, credited_at=at
    ),
    Vacation: lambda who, at: Vacation.objects.create(
        user=who.alice, start=at - timedelta(days=9), end=at
    ),
    HeavyRequest: lambda who, at: HeavyRequest.objects.create(
        user=who.alice, start=at - MINUTE, end=at, cpu_seconds=6.0
    ),
    LossOnTime: lambda who, at: LossOnTime.objects.create(
        match=new_match(who), user=who.alice, at=at
    ),
    Invitation: invitation,
    Line: line_of_talk,
    Follow: follow,
    AccountEmail: account_email,
    ReplyAddress: reply_address,
    IncomingMessage: incoming,
    Report: report,
}


def test_there_is_a_case_of_each_model() -> None:
    assert MAKE.keys() == {kept.model for kept in ROWS}


@pytest.mark.parametrize("kept", ROWS, ids=lambda kept: kept.model.__name__)
def test_a_row_is_deleted_exactly_when_its_period_is_over(kept: Kept, who: People) -> None:
    assert kept.model is not None
    at = now()
    rows = kept.model._default_manager.all()
    before = rows.count()
    MAKE[kept.model](who, at - kept.term)
    with frozen_at(at - MINUTE):
        retention.clean_up()
    assert rows.count() == before + 1
    with frozen_at(at + MINUTE):
        assert retention.clean_up()[kept.what] == 1
    assert rows.count() == before


@pytest.mark.parametrize(
    "make",
    [
        lambda who, at: dispatch("waiting", at),
        lambda who, at: invitation(who, at, status=InvitationStatus.OPEN),
        lambda who, at: User.objects.create_user("Murat", "m@example.org", date_joined=at),
        lambda who, at: Outage.objects.create(start=at, end=at),
        lambda who, at: Vacation.objects.create(
            user=who.alice, start=at, end=at + MINUTE, unannounced=True
        ),
        lambda who, at: incoming(who, at, done_at=None),
        lambda who, at: Report.objects.create(person=who.alice, opened_at=at),
        lambda who, at: Line.objects.create(
            match=new_match(who), number=1, writer=who.alice, at=at
        ),
        lambda who, at: Follow.objects.create(match=new_match(who), user=who.charlie, since=at),
    ],
    ids=[
        "a waiting message",
        "an open invitation",
        "a user",
        "an owed outage",
        "a vacation",
        "a message that nobody has read",
        "a report that waits",
        "talk of a live match",
        "who follows a live match",
    ],
)
def test_needed_rows_are_kept_however_old_they_are(who: People, make: Make) -> None:
    make(who, now() - timedelta(days=5000))
    assert not retention.clean_up()


def test_losses_are_kept_while_a_stop_waits_for_a_decision(who: People) -> None:
    at = now() - timedelta(days=40)
    halt = Halt.objects.create(opened_at=at, overdue=1)
    match = new_match(who)
    for hours in (-3, -1, 1):
        LossOnTime.objects.create(match=match, user=who.alice, at=at + timedelta(hours=hours))
    breaker.note_losses(match.players.all(), now())
    retention.clean_up()
    assert LossOnTime.objects.filter(at__lt=now() - timedelta(days=30)).count() == 2
    breaker.release(halt, who.bob)
    retention.clean_up()
    assert LossOnTime.objects.count() == match.players.count()


def test_kept_old_rows_do_not_prevent_the_deletion_of_others(who: People) -> None:
    """Such as messages of another version of the program."""
    old = now() - timedelta(days=40)
    for number in range(BATCH_ROWS + 10):
        dispatch(number, old)
    dispatch("sent", old, sent_at=old)
    assert sum(retention.clean_up().values()) == 1


def test_expired_counters_are_deleted_and_others_stay() -> None:
    cache.set("past", 1, timeout=60)
    cache.set("present", 1, timeout=86400)
    with frozen_at(now() + timedelta(minutes=2)):
        retention.clean_up()
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        assert [key for (key,) in cursor.fetchall()] == [":1:present"]


def test_old_files_of_emails_are_deleted_and_nothing_else(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = str(tmp_path)

    def name(days: int) -> str:
        return f"{int((time.time() - days * 86400) * 1e9)}-00000000"

    old, fresh = name(31), name(29)
    for file in (f"{old}.eml", f".{old}", f"{fresh}.eml", "notes.txt", "1-00000000.eml"):
        (tmp_path / file).touch()
    retention.clean_up()
    assert {file.name for file in tmp_path.iterdir()} == {
        f"{fresh}.eml",
        "notes.txt",
        "1-00000000.eml",
    }


def test_without_an_email_folder_nothing_is_deleted(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = str(tmp_path / "none")
    assert not retention.clean_up()


# --- What it costs


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """The queries within the block."""
    seen: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


def plan(sql: str, params: Any) -> str:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # With so few rows the database would read them all.
            cursor.execute("SET LOCAL enable_seqscan = off")
        word = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        cursor.execute(f"{word} {sql}", params)
        return "\n".join(str(row) for row in cursor.fetchall())


@pytest.mark.parametrize(
    "kept",
    [kept for kept in retention.KEPT if "files" not in kept.what],
    ids=lambda kept: kept.what,
)
def test_a_batch_is_found_by_an_index(kept: Kept, who: People) -> None:
    if kept.model:
        MAKE[kept.model](who, now() - kept.term - MINUTE)
    else:
        cache.set("past", 1, timeout=1)
    at = now() + timedelta(seconds=10)
    with statements() as queries:
        assert sum(kept.delete_due(at)) >= 1
    reads = [(sql, params) for sql, params in queries if re.match(r"\s*(SELECT|DELETE)", sql)]
    assert reads
    for sql, params in reads:
        query_plan = plan(sql, params)
        assert "Seq Scan" not in query_plan and "TEMP B-TREE" not in query_plan, (
            f"{sql}\n{query_plan}"
        )
        # SQLite's word for a table that is read in the order of its key, up to the limit.
        assert "'SCAN" not in query_plan or "LIMIT" in sql, f"{sql}\n{query_plan}"


def is_found_by_index(field: Any) -> bool:
    """Whether an index, of all rows that have a value, begins with this foreign key."""
    meta = field.model._meta
    if field.db_index or field.unique:
        return True
    for index in [*meta.indexes, *meta.constraints]:
        if isinstance(index, UniqueConstraint) or index in meta.indexes:
            expressions = getattr(index, "expressions", ())
            columns = [*index.fields, *(e.name for e in expressions if isinstance(e, F))]  # type: ignore[attr-defined]
            covers = index.condition in (None, Q(**{f"{field.name}__isnull": False}))
            if columns[:1] == [field.name] and covers:
                return True
    return any(together[0] == field.name for together in meta.unique_together)


@pytest.mark.parametrize("model", MAKE, ids=lambda model: model.__name__)
def test_references_to_a_deleted_row_are_found_by_an_index(model: type[Model]) -> None:
    """Otherwise the database scans the table for each deleted row."""
    relations = [
        relation.field
        for relation in model._meta.get_fields(include_hidden=True)
        if relation.auto_created and not relation.concrete and hasattr(relation, "field")
    ]
    fields: list[Any] = relations
    bare = [
        str(field)
        for field in fields
        if field.model._meta.managed and field.db_constraint and not is_found_by_index(field)
    ]
    assert not bare


def sign_ups(number: int) -> None:
    User.objects.bulk_create(
        User(
            username=f"Recruit{each}",
            handle_key=f"Recruit{each}",
            email=f"recruit{each}@example.org",
            pending=True,
            date_joined=now() - timedelta(days=4),
        )
        for each in range(number)
    )


def rows_of_the_outbox(user: User, number: int) -> None:
    at = now()
    Dispatch.objects.bulk_create(
        (
            Dispatch(
                event="turn-came",
                handler="notify",
                user=user,
                dedupe=str(each),
                created_at=at,
                not_before=at,
                sent_at=at,
            )
            for each in range(number)
        ),
        batch_size=5000,
    )
    # Otherwise the statistics may still say that the table is empty, and it is scanned.
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def rows_scanned() -> int:
    """How many rows of the outbox PostgreSQL's scans have read, not yet in its statistics."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = %s",
            ["outbox_dispatch"],
        )
        return int(cursor.fetchone()[0])


def steps_of(act: Callable[[], object]) -> int:
    """How much the database reads in it: thousands of SQLite's steps, rows of PostgreSQL's scans.

    The rows are the outbox's; a scan that ends after its first row has read one.
    """
    if connection.vendor == "postgresql":
        # Reads of earlier transactions of this second are still counted.
        before = rows_scanned()
        act()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        return rows_scanned() - before
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    connection.connection.set_progress_handler(count, 1000)
    try:
        act()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return steps


@pytest.mark.soak
@pytest.mark.long
def test_two_hundred_sign_ups_are_deleted_without_reading_the_outbox(alice: User) -> None:
    rows_of_the_outbox(alice, 50_000)
    sign_ups(200)
    read = steps_of(retention.clean_up)
    assert not User.objects.filter(pending=True).exists()
    # Reading the outbox once takes 50,000 rows, or 200,000 steps.
    assert read < 200


def test_the_number_of_statements_does_not_grow_with_the_batch(alice: User) -> None:
    counts = []
    for number in (1, 200):
        sign_ups(number)
        with statements() as queries:
            retention.clean_up()
        counts.append(len(queries))
    # The maximum number of keys in a statement.
    assert counts[1] - counts[0] <= 15


def test_a_batch_has_a_maximum_length(alice: User) -> None:
    sign_ups(BATCH_ROWS + 1)
    assert list(ROWS[0].delete_due(now())) == [BATCH_ROWS, 1]


# --- Interruptions


def test_a_killed_clean_up_leaves_the_rest_to_the_next(alice: User) -> None:
    at = now() - timedelta(days=40)
    for number in range(BATCH_ROWS + 20):
        dispatch(number, at, sent_at=at)
    kept = next(kept for kept in ROWS if kept.model is Dispatch)
    assert list(islice(kept.delete_due(now()), 1)) == [BATCH_ROWS]
    assert Dispatch.objects.count() == 20
    assert retention.clean_up()[kept.what] == 20


def test_a_clean_up_stops_at_its_time_limit_and_continues_later(alice: User) -> None:
    sign_ups(3)
    assert not retention.clean_up(seconds=0)
    assert User.objects.filter(pending=True).count() == 3
    assert sum(retention.clean_up().values()) == 3


def test_a_failing_deletion_blocks_no_other(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(horizon: datetime) -> Iterator[int]:
        raise RuntimeError("alice@example.org")
        yield 0

    broken = Kept("broken", timedelta(0), "", "", fail)
    monkeypatch.setattr(retention, "KEPT", (broken, *retention.KEPT))
    sign_ups(1)
    assert sum(retention.clean_up().values()) == 1
    assert "broken (RuntimeError)" in caplog.text and "alice" not in caplog.text


# --- The page


def line(kept: Kept) -> str:
    days = kept.term.days
    term = {0: "until", 1: "a day after"}.get(days, f"{days} days after")
    return f"| {kept.what} | {term} {kept.since} | {kept.found_by} |"


def test_the_page_lists_each_period() -> None:
    page = (settings.BASE_DIR / "docs" / "running" / "retention.md").read_text()
    rows_of_page = [
        text for text in page.splitlines() if text.startswith("| ") and text.endswith(" |")
    ]
    terms = rows_of_page[rows_of_page.index("| what | kept | found by |") + 1 :][
        : len(retention.KEPT)
    ]
    assert terms == [line(kept) for kept in retention.KEPT]


def test_every_table_is_on_the_page() -> None:
    """A new model needs a line that says how long its rows are kept."""
    page = (settings.BASE_DIR / "docs" / "running" / "retention.md").read_text()
    rooms = ("accounts", "games", "config", "lib")
    ours = [model.__name__ for model in apps.get_models() if model.__module__.startswith(rooms)]
    missing = [name for name in ours if f"`{name}`" not in page]
    assert not missing
