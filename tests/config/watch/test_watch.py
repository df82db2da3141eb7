"""Monitoring: health, /metrics, the admin's front page, and e-mails to administrators."""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import Group
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from config.environment.version import version
from config.models import Alert, KeyFingerprint, LastBackup
from config.roles import MODERATOR, OPERATOR
from config.watch import alerts, checks, measurements
from games.house import house_accounts
from games.notifications.models import Mailbox
from games.outbox.models import Dispatch
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.models.time import Halt, Heartbeat, Outage, WebServer
from lib.db_clock import frozen_at, now
from tests import preloaded, tiers
from tests.floors import at_least
from tests.play.match_helpers import person
from tests.preloaded import ROOT
from tests.servers import SmtpSink, free_port

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]

TOKEN = "a-token-of-more-than-32-characters"
WEB = "http://10.0.0.7:8000"
PROXY = "https://127.0.0.1"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def all_is_well(settings: Settings) -> None:
    """Write a heartbeat now."""
    Heartbeat.objects.create(pk=1, started_at=now(), last_beat_at=now(), last_contact_at=now())
    settings.ADMINS = [("", "admin@example.org")]
    settings.METRICS_TOKEN = TOKEN


def row(**what: Any) -> Dispatch:
    """A row of the outbox, posted an hour ago."""
    number = Dispatch.objects.count()
    posted = {"created_at": now() - HOUR, "not_before": now() - HOUR}
    return Dispatch.objects.create(
        event="turn-came", handler="notify", dedupe=f"{number}", **(posted | what)
    )


def silent() -> None:
    Heartbeat.objects.update(last_beat_at=now() - HOUR)


def web_server_fails(settings: Any) -> None:
    settings.WEB_URLS = (WEB,)
    WebServer.objects.create(url=WEB, failing_since=now(), failure="it answers 503")


def proxy_fails(settings: Any) -> None:
    settings.PROXY_URLS = (PROXY,)
    WebServer.objects.create(url=PROXY, failing_since=now(), failure="it answers 502")


def listener_fails(settings: Any) -> None:
    settings.MAIL_LISTEN = f"lmtp://127.0.0.1:{free_port()}"


def held(settings: Any) -> None:
    settings.HOLD_EMAILS = True


def outage() -> None:
    Outage.objects.create(start=now() - 2 * HOUR, end=now() - HOUR)


def last_backup(age: timedelta) -> None:
    at = now() - age
    LastBackup.objects.create(pk=1, made_at=at, verified_at=at, bytes=1, seconds=1)


def late_clock(match: Match) -> None:
    Player.objects.filter(match=match, to_act=True).update(check_at=now() - HOUR)


def silent_house(match: Match) -> None:
    house = house_accounts.opponent("recruit")
    Player.objects.filter(match=match, to_act=True).update(user=house, since=now() - HOUR)


def unsendable() -> None:
    row(not_before=now() + HOUR, attempts=20, error="ServiceUnavailable (ConnectionRefusedError)")


def refused(code: str = "5.7.1") -> None:
    row(not_before=now() + HOUR, attempts=1, error=f"OwnFault {code}")


ILLS: dict[str, Callable[[Any, Match], object]] = {
    "heartbeat": lambda settings, match: silent(),
    "web servers": lambda settings, match: web_server_fails(settings),
    "proxy": lambda settings, match: proxy_fails(settings),
    "listener": lambda settings, match: listener_fails(settings),
    "sweep": lambda settings, match: late_clock(match),
    "outbox": lambda settings, match: row(),
    "mail server": lambda settings, match: unsendable(),
    "refusals": lambda settings, match: refused(),
    "dead letters": lambda settings, match: row(dead_at=now() - HOUR),
    "time-outs": lambda settings, match: Halt.objects.create(opened_at=now(), overdue=7),
    "outages": lambda settings, match: outage(),
    "records": lambda settings, match: Ply.objects.filter(match=match).delete(),
    "house": lambda settings, match: silent_house(match),
    "backups": lambda settings, match: last_backup(timedelta(days=9)),
}
# A web container only checks the web servers, and so on.
ILL_PARTS = {
    "heartbeat": "worker",
    "web servers": "web",
    "listener": "listener",
    "sweep": "beat",
    "outbox": "worker",
    "house": "house",
}


def health(capsys: Any, *part: str) -> tuple[int, list[str]]:
    """The exit code of `manage.py health`, and its lines."""
    try:
        call_command("health", *part)
        status = 0
    except SystemExit as end:
        status = int(str(end.code))
    return status, capsys.readouterr().out.splitlines()


def test_health_has_a_line_for_each_check_and_exits_with_0(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, lines = health(capsys)
    assert status == 0
    assert [line.split(":")[0] for line in lines] == [f"ok    {n}" for n in ("version", *ILLS)]
    assert lines[0].startswith(f"ok    version: {version()}, time zones 20")


@pytest.mark.parametrize("ill", ILLS)
def test_health_reports_what_is_wrong_and_exits_with_1(
    ill: str, settings: Settings, match: Match, capsys: pytest.CaptureFixture[str]
) -> None:
    ILLS[ill](settings, match)
    status, lines = health(capsys)
    assert status == 1
    (wrong,) = [line for line in lines if line.startswith("WRONG")]
    assert wrong.startswith(f"WRONG {ill}: ")


# One of each part, and one that is of none.
@pytest.mark.parametrize(
    "ill",
    tiers.parameters(
        ILLS, fast=("heartbeat", "web servers", "listener", "sweep", "house", "proxy")
    ),
)
def test_health_of_a_part_reports_what_is_wrong_in_it(
    ill: str, settings: Settings, match: Match, capsys: pytest.CaptureFixture[str]
) -> None:
    ILLS[ill](settings, match)
    ill_parts = [part for part in checks.PARTS if health(capsys, part)[0]]
    assert ill_parts == ([ILL_PARTS[ill]] if ill in ILL_PARTS else [])


def test_a_worker_is_not_blamed_for_a_web_server_that_takes_no_move(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    silent()
    web_server_fails(settings)
    assert health(capsys, "worker")[0] == 0
    assert health(capsys, "web")[0] == 1
    assert health(capsys)[0] == 1


def test_no_process_is_blamed_for_a_proxy_that_fails(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    silent()
    proxy_fails(settings)
    assert health(capsys, "worker")[0] == health(capsys, "web")[0] == 0
    status, lines = health(capsys)
    assert status == 1 and "Check the proxy below." in lines[1]


def test_a_worker_is_not_blamed_for_a_missing_listener(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    silent()
    listener_fails(settings)
    assert health(capsys, "worker")[0] == 0
    assert health(capsys, "listener")[0] == 1


def test_held_messages_are_reported_as_held_and_no_worker_is_blamed(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    row()
    held(settings)
    _status, lines = health(capsys)
    (wrong,) = [line for line in lines if line.startswith("WRONG")]
    assert "HOLD_EMAILS is on, so no message is delivered" in wrong and "1 waiting" in wrong
    assert health(capsys, "worker")[0] == 0


def test_the_restart_of_a_listener_is_not_emailed(settings: Settings) -> None:
    listener_fails(settings)
    alerts.update()
    assert not alert_bodies()
    Heartbeat.objects.update(last_beat_at=now() - timedelta(minutes=3))
    alerts.update()
    assert "The mail listener at MAIL_LISTEN does not answer" in alert_bodies()[0]


def test_a_service_without_any_worker_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Heartbeat.objects.all().delete()
    status, lines = health(capsys, "worker")
    assert status == 1 and lines[1].startswith("WRONG heartbeat: never")


def test_rows_that_may_wait_are_not_late() -> None:
    row(not_before=now() + HOUR)  # a digest
    row(sent_at=now())
    row(dead_at=now() - timedelta(days=2))
    # Backdated by a day, so that it is sent first.
    row(created_at=now(), not_before=now() - timedelta(days=1))
    measured = measurements.measure()
    assert not checks.problems(measured)
    assert measured.waiting == 2


def test_a_due_row_behind_an_urgent_one_is_reported() -> None:
    row(created_at=now(), not_before=now() - timedelta(days=1))
    row()
    assert measurements.measure().due_age >= HOUR


def test_only_the_codes_of_refusals_are_named() -> None:
    for code in ("5.7.1", "5.7.26", "5.7.1", "554"):
        refused(code)
    measured = measurements.measure()
    assert (
        measured.refused == 4
        and measured.refusals == ("5.7.1", "554")
        and not measured.many_refused
    )
    (problem,) = checks.problems(measured)
    assert "4 e-mails are waiting" in problem.problem and "(5.7.1, 554)" in problem.problem
    refused("5.1.1 many")
    (problem,) = checks.problems(measurements.measure())
    assert "so many mailboxes at once" in problem.problem and "5.1.1" in problem.problem
    Dispatch.objects.update(sent_at=now())
    Mailbox.objects.create(user=person("Olga"), reported_at=now(), reported="5.7.26")
    (problem,) = checks.problems(measurements.measure())
    assert "E-mails to 1 recipient bounced" in problem.problem and "5.7.26" in problem.problem


def test_a_wrong_setting_is_reported_at_once_and_a_server_that_is_down_after_ten_minutes() -> None:
    row(not_before=now() + HOUR, attempts=19, error="ServiceUnavailable (TimeoutError)")
    assert not checks.problems(measurements.measure())
    row(not_before=now() + HOUR, attempts=1, error="ServiceUnavailable (log-in refused)")
    (problem,) = checks.problems(measurements.measure())
    assert problem.name == "mail server"
    assert "EMAIL_URL: the mail server rejects user or password." in problem.problem
    assert "1 message is waiting" in problem.advice and "check_mail" in problem.advice


def test_a_missing_backup_is_a_problem_once_one_is_due(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    KeyFingerprint.objects.create(fingerprint="0" * 16)
    assert health(capsys)[0] == 0
    KeyFingerprint.objects.update(first_used_at=now() - timedelta(days=9))
    status, lines = health(capsys)
    assert status == 1 and any("There is no backup yet." in line for line in lines)
    settings.BACKUP_ALERT_DAYS = 0
    assert health(capsys)[0] == 0, "Somebody else sees to it."
    last_backup(timedelta(days=30))
    assert health(capsys)[0] == 0


def test_a_missing_verification_is_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    KeyFingerprint.objects.create(fingerprint="0" * 16)
    KeyFingerprint.objects.update(first_used_at=now() - timedelta(days=9))
    last_backup(HOUR)
    assert health(capsys)[0] == 0
    LastBackup.objects.update(verified_at=now() - timedelta(days=9))
    status, lines = health(capsys)
    assert status == 1
    assert any("A backup was last verified 9 days ago." in line for line in lines)


# --- Metrics


def metrics(client: Client, token: str = TOKEN) -> dict[str, float]:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    lines = re.findall(r"^(estafette_\w+) (\S+)$", answer.content.decode(), re.MULTILINE)
    return {name.removeprefix("estafette_"): float(value) for name, value in lines}


def test_metrics_describe_the_service_and_no_player(
    client: Client, match: Match, settings: Settings
) -> None:
    for ill in ILLS.values():
        ill(settings, match)
    values = metrics(client)
    assert values["heartbeat_age_seconds"] >= 3600
    assert values["sweep_lag_seconds"] >= 3600
    assert values["outbox_oldest_due_seconds"] >= 3600
    assert values["outbox_dead"] == values["halts"] == values["outages_unsettled"] == 1
    assert values["backup_overdue"] == 1 and values["backup_age_seconds"] >= 9 * 24 * 3600
    assert values["outbox_unsendable"] == values["web_servers_failing"] == 1
    assert values["matches_running"] == values["matches_broken"] == 1
    assert values["proxies_failing"] == 1
    assert values["mail_listener_up"] == values["outbox_held"] == 0
    assert values["house_oldest_turn_seconds"] >= 3600
    assert values["clocks_running"] == 1
    assert values["outbox_refused"] == 1 and values["readers_returned"] == 0
    assert values["outbox_posted_total"] >= values["outbox_waiting"] == 3
    assert values["matches_opened_total"] >= 1
    assert values["plies"] >= 0
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    # No labels but the version, so nothing that depends on player, match or address.
    (labelled,) = [line for line in answer.content.decode().splitlines() if "{" in line]
    assert labelled == f'estafette_build_info{{version="{version()}"}} 1.0'


@pytest.mark.parametrize("given", ["", TOKEN, "Basic " + TOKEN, "Bearer " + TOKEN[:-1], "Bearer é"])
def test_metrics_need_the_token(client: Client, given: str) -> None:
    answer = client.get("/metrics", headers={"Authorization": given})
    assert answer.status_code == 401
    assert b"estafette" not in answer.content


def test_without_a_token_in_the_settings_there_are_no_metrics(
    client: Client, settings: Settings
) -> None:
    settings.METRICS_TOKEN = ""
    for given in ("", "Bearer", "Bearer "):
        assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


def test_the_query_count_of_metrics_is_constant(
    client: Client, match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(17):  # one more while there is no backup
        metrics(client)
    last_backup(HOUR)
    with django_assert_num_queries(16):
        metrics(client)
    for _ in range(5):
        row()
        row(dead_at=now())
    with django_assert_num_queries(16):
        metrics(client)


def test_no_query_reads_a_whole_table(
    client: Client, match: Match, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """Each query reads a row by its key, or an index of open rows only."""
    last_backup(HOUR)
    with django_assert_max_num_queries(16) as queries:
        metrics(client)
    statements = at_least(10, [query["sql"] for query in queries.captured_queries])
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in statements:
                cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
                for *_, step in cursor.fetchall():
                    small = re.search(r"webserver|heartbeat|halt|outage", step)
                    by_index = "USING" in step or not step.startswith("SCAN play")
                    assert small or by_index, f"{statement}: {step}"
                    assert "SCAN outbox_dispatch" not in step or "USING" in step, statement
                    assert "SCAN notifications_mailbox" not in step or "USING" in step, statement


# --- The admin's front page


@pytest.fixture
def operator(settings: Settings) -> Client:
    settings.STAFF_NEEDS_MFA = False
    return _staff(OPERATOR)


def _staff(role: str) -> Client:
    user = person("Olga", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(User.objects.get(pk=user.pk))
    return client


def test_the_front_page_lists_problems_and_where_to_fix_them(operator: Client) -> None:
    assert "could not be sent" not in operator.get("/admin/").content.decode()
    for _ in range(3):
        row(dead_at=now())
    page = operator.get("/admin/").content.decode()
    assert "3 messages could not be sent within the last day." in page
    (link,) = re.findall(r'href="(/admin/outbox/dispatch/\?state=dead)"', page)
    assert operator.get(link).status_code == 200


def test_staff_see_only_the_findings_they_have_permission_for(settings: Settings) -> None:
    settings.STAFF_NEEDS_MFA = False
    row(dead_at=now())
    outage()
    page = _staff(MODERATOR).get("/admin/").content.decode()
    assert "could not be sent" not in page
    assert "not all clocks have been given that time back" in page


# --- E-mails to ADMINS


def alert_bodies() -> list[str]:
    return [str(message.body) for message in mail.outbox]


def test_administrators_get_one_email_until_the_problem_is_over() -> None:
    dead = row(dead_at=now())
    for _ in range(3):
        alerts.update()
    (body,) = alert_bodies()
    assert "1 message could not be sent" in body and "/admin/outbox/dispatch/?state=dead" in body
    assert mail.outbox[0].to == ["admin@example.org"]
    dead.delete()
    alerts.update()
    # It returns at once, so it was never over.
    row(dead_at=now())
    alerts.update()
    assert len(alert_bodies()) == 1
    Dispatch.objects.all().delete()
    alerts.update()
    with frozen_at(now() + 2 * HOUR):
        Heartbeat.objects.update(last_beat_at=now())
        alerts.update()
        assert not Alert.objects.exists()
        row(dead_at=now())
        alerts.update()
    assert len(alert_bodies()) == 2


def test_several_simultaneous_problems_are_one_email(settings: Settings, match: Match) -> None:
    for ill in ILLS.values():
        ill(settings, match)
    alerts.update()
    (body,) = alert_bodies()
    assert body.count("\n\n") == 13
    assert "Time-outs are held back" not in body, "The breaker tells of that itself."


def test_an_email_that_cannot_be_sent_is_retried(settings: Settings, smtp_sink: SmtpSink) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    smtp_sink.mood = "refuse"
    row(dead_at=now())
    alerts.update()
    smtp_sink.mood = "accept"
    alerts.update()
    assert smtp_sink.taken == [], "Not before ten minutes have passed."
    with frozen_at(now() + timedelta(minutes=11)):
        Heartbeat.objects.update(last_beat_at=now())
        alerts.update()
        alerts.update()
    assert len(smtp_sink.taken) == 1


def test_a_problem_that_is_over_before_the_email_is_not_sent(
    settings: Settings, smtp_sink: SmtpSink
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    smtp_sink.mood = "refuse"
    row(dead_at=now())
    alerts.update()
    smtp_sink.mood = "accept"
    Dispatch.objects.all().delete()
    alerts.update()
    with frozen_at(now() + timedelta(minutes=11)):
        Heartbeat.objects.update(last_beat_at=now())
        alerts.update()
    assert smtp_sink.taken == []


def test_without_problems_the_checks_cost_thirteen_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    last_backup(HOUR)
    with django_assert_num_queries(13):
        alerts.update()


def test_an_unreachable_database_is_reported_in_one_line(tmp_path: Path) -> None:
    away = {"DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/none"}
    done = preloaded.run(["manage.py", "health"], {**os.environ, **away})
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("ok    version: ")
    assert lines[1:] == ["WRONG database: OperationalError. It does not answer."]
    assert "Traceback" not in done.stderr


# Sizes and ages that show no problem by themselves, and what another metric already judges.
FOR_GRAPHS = {
    *("build_info", "outbox_waiting", "outbox_posted_total", "backup_age_seconds", "plies"),
    "backup_verified_age_seconds",
    *("matches_running", "clocks_running", "matches_opened_total"),
}


def test_each_metric_that_can_show_a_problem_has_an_alert_rule(
    client: Client, match: Match, settings: Settings
) -> None:
    for ill in ILLS.values():
        ill(settings, match)
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    exported = set(re.findall(r"^estafette_(\w+)", answer.content.decode(), re.MULTILINE))
    text = (ROOT / "deploy" / "prometheus" / "estafette.rules.yaml").read_text()
    rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
    named = {name for rule in rules for name in re.findall(r"estafette_(\w+)", rule["expr"])}
    assert named == exported - FOR_GRAPHS
    assert exported >= FOR_GRAPHS
