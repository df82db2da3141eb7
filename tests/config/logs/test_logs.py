"""Logs: lines or JSON, with the ids of requests and tasks, in every process."""

import json
import logging
import logging.config
import re
import urllib.request
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.logs.records import ContextFilter, JsonFormatter, LineFormatter, LogFile, logging_config
from games.play.models.match import Match
from tests.servers import wait_for
from tests.stack import Stack

FORMATTERS = {"line": LineFormatter, "json": JsonFormatter}


@pytest.fixture(params=FORMATTERS)
def written(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    """The service's log, in both formats."""
    text = StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(FORMATTERS[request.param]())
    handler.addFilter(ContextFilter())
    logging.getLogger().addHandler(handler)
    level = logging.getLogger().level
    logging.getLogger().setLevel(logging.DEBUG)
    yield text
    logging.getLogger().setLevel(level)
    logging.getLogger().removeHandler(handler)


def access(text: str) -> list[dict[str, str]]:
    """The fields of each record of the access log."""
    records = []
    for line in text.splitlines():
        if line.startswith("{"):
            record: dict[str, Any] = json.loads(line)
            if record["logger"] == "access":
                records.append({name: str(value) for name, value in record.items()})
        elif " access: " in line:
            records.append(dict(pair.split("=") for pair in line.split() if "=" in pair))
    return records


def test_a_request_is_logged_by_its_route_with_an_id(
    client: Client, written: StringIO, match: Match, alice: User
) -> None:
    client.force_login(alice)
    answer = client.get(f"/match/{match.pk}/")
    (line,) = access(written.getvalue())
    assert line["method"] == "GET"
    assert line["route"] == f"/match/{match.pk}/"
    assert line["status"] == "200"
    assert line["user"] == str(alice.pk)
    assert line["request_id"] == answer["X-Request-ID"]
    assert int(line["duration_ms"]) >= 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("3f6c-91.a_B", True),
        ("x" * 64, True),
        ("x" * 65, False),
        ("two words", False),
        ("a=b", False),
        ("", False),
        ("à", False),
    ],
)
def test_a_request_id_is_accepted_if_it_is_short_and_plain(
    client: Client, written: StringIO, given: str, kept: bool
) -> None:
    answer = client.get("/help/", headers={"X-Request-ID": given})
    assert (answer["X-Request-ID"] == given) is kept
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", answer["X-Request-ID"])
    assert access(written.getvalue())[0]["request_id"] == answer["X-Request-ID"]


@pytest.mark.django_db
def test_no_path_is_logged_since_it_may_contain_a_token(client: Client, written: StringIO) -> None:
    for path in ("/lobby/link/Zpassword/", "/notifications/Zpassword/é.atom", "/Zpassword"):
        answer = client.get(path)
        assert answer.status_code in (302, 404)
    assert "Zpassword" not in written.getvalue()
    assert len(access(written.getvalue())) == 3
    refused = [line for line in written.getvalue().splitlines() if "django.request" in line]
    # Django writes it after all middleware.
    assert refused and all("request_id" in line for line in refused)


@pytest.mark.django_db
def test_malformed_requests_do_not_fill_the_log(client: Client, written: StringIO) -> None:
    assert client.get("/", headers={"host": "evil" * 70 + ".example"}).status_code == 400
    text = written.getvalue()
    assert "evil" not in text and "Traceback" not in text and "ERROR" not in text
    assert "django.security.DisallowedHost" in text and "WARNING" in text


@pytest.mark.django_db
def test_polled_pages_are_logged_at_debug(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client.get("/health/live")
    client.get("/health/ready")
    levels = [record.levelname for record in caplog.records if record.name == "access"]
    assert levels == ["DEBUG", "DEBUG"]


@pytest.mark.django_db
def test_the_access_log_can_be_switched_off(
    client: Client, written: StringIO, settings: Settings
) -> None:
    settings.ACCESS_LOG = False
    assert client.get("/help/")["X-Request-ID"]
    assert access(written.getvalue()) == []


def test_a_record_in_json_is_one_line_whatever_it_says(written: StringIO) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("games").exception("A failure\nof two lines.")
    text = written.getvalue()
    assert "two\nlines" in text or json.loads(text)["exception"].endswith("two\nlines")
    assert "of two lines." in text


def test_the_level_also_applies_to_loggers_with_their_own() -> None:
    config = logging_config("ERROR", "line")
    assert config["handlers"]["log"]["level"] == "ERROR"


def test_no_level_logs_parameters_of_statements_or_variables_of_templates() -> None:
    """They contain armies: at DEBUG, Django reports a missing variable with all others."""
    loggers = logging_config("DEBUG", "line")["loggers"]
    assert loggers["django"]["level"] == "INFO"
    assert {name for name in loggers if name.startswith("django.")} == {"django.db.backends"}
    assert loggers["django.db.backends"]["propagate"] is False


@pytest.mark.servers
def test_a_workers_records_have_the_level_and_form_of_the_settings(
    stack: Callable[..., Stack],
) -> None:
    """Celery's option -l, which is INFO here, is ignored."""
    service = stack(beat=0, extra={"LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG"})
    service.shell("from games.outbox.tasks import drain; drain.delay()")

    def records(name: str) -> list[dict[str, Any]]:
        lines = service.log(name).read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith('{"time"')]

    def of_a_task() -> list[dict[str, Any]]:
        return [one for one in records("worker1") if one.get("task_id")]

    records_of_task = wait_for(of_a_task, "a record within a task", 30)
    assert records_of_task[0]["task"] == "games.outbox.tasks.drain"
    assert any(one["level"] == "DEBUG" for one in records("worker1"))
    with urllib.request.urlopen(service.url() + "help/") as answer:
        request_id = answer.headers["X-Request-ID"]
    wait_for(
        lambda: any(one.get("request_id") == request_id for one in records("web1")),
        "an access line",
        10,
    )


def test_a_log_that_cannot_be_written_loses_only_that_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = LogFile(str(tmp_path / "log"))
    log.emit(logging.makeLogRecord({"msg": "one"}))
    (tmp_path / "log").unlink()
    (tmp_path / "log").mkdir()
    log.emit(logging.makeLogRecord({"msg": "two"}))
    (tmp_path / "log").rmdir()
    log.emit(logging.makeLogRecord({"msg": "three"}))
    log.close()
    assert (tmp_path / "log").read_text() == "three\n"
    assert "Is a directory" in capsys.readouterr().err
