"""Plans whose answers wait: the task that looks for due ones reads an index, however many wait."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.play.commands.plans import due
from games.play.models.match import Match, Player, Status
from games.play.models.plan import Plan
from games.play.record.sealed import plans
from lib.db_clock import now
from tests import tiers
from tests.shared_rows import shared_rows

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]

MANY, FEWER = 10_000, 1_500
BATCH = 1_000  # rows of one statement


@pytest.fixture(scope="module", autouse=True, params=tiers.parameters([FEWER, MANY], fast=[FEWER]))
def waiting(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[int]:
    with shared_rows(django_db_blocker):
        fill(request.param)
        yield request.param


def fill(number_of_plans: int) -> None:
    """Write so many plans whose answers are due tomorrow."""
    user, instant = User.objects.create(username="Rider", handle_key="rider"), now()
    terms = {"preset": "lattaque-en", "pace": "3d", "setup_pace": "3d", "created_at": instant}
    matches = Match.objects.bulk_create(
        (Match(**terms, status=Status.RUNNING) for _ in range(number_of_plans)), BATCH
    )
    players = Player.objects.bulk_create(
        (Player(match=match, user=user, seat=0, to_act=True) for match in matches), BATCH
    )
    tomorrow = instant + timedelta(days=1)
    Plan.objects.bulk_create(
        (
            Plan(
                player=player,
                ply=1,
                sealed=b"sealed",
                due_at=tomorrow + timedelta(seconds=number) if number % 2 else None,
            )
            for number, player in enumerate(players)
        ),
        BATCH,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def test_the_task_uses_the_index_of_due_plans() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert due.answer_plans() == 0
    (statement,) = [query["sql"] for query in queries if "play_plan" in query["sql"]]
    with connection.cursor() as cursor:
        words = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        cursor.execute(f"{words} {statement}")
        steps = " ".join(str(row) for row in cursor.fetchall())
    assert "plan_due" in steps
    assert "SCAN play_plan" not in steps and "Seq Scan" not in steps


def test_one_run_tries_at_most_one_batch(waiting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due, "BATCH_PLANS", 7)
    Plan.objects.filter(due_at__isnull=False).update(due_at=now() - timedelta(hours=1))
    tried: list[int] = []
    monkeypatch.setattr(due, "answer_due", lambda _match, player, _version: tried.append(player))
    due.answer_plans()
    assert len(tried) == 7
    assert len(plans.due(now(), MANY)) == waiting / 2
