"""The security log records refusals and contains nothing that was typed."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.people import unsubscribe
from tests.accounts.conftest import PASSWORD, sign_in

SECRET = "hunter2hunter2"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level("INFO", "accounts.security")
    return caplog


def lines(log: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in log.records if record.name == "accounts.security"]


def test_a_missing_permission_is_logged_with_user_and_route(
    log: pytest.LogCaptureFixture, client: Client, ann: User
) -> None:
    client.force_login(ann)
    log.clear()
    assert client.get("/admin/login/", {"next": f"/{SECRET}/"}).status_code == 403
    assert lines(log) == [f"refused GET /admin/login/, no permission: user {ann.pk} from 127.0.0.1"]


def test_a_missing_csrf_token_is_logged(log: pytest.LogCaptureFixture, ann: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    log.clear()
    page = client.post(f"/people/preferences/?{SECRET}", {"zone": SECRET})
    assert page.status_code == 403
    assert lines(log) == [
        f"refused POST /people/preferences/, no CSRF token: user {ann.pk} from 127.0.0.1"
    ]


def test_only_numbers_of_a_path_are_logged(log: pytest.LogCaptureFixture, ann: User) -> None:
    client = Client(enforce_csrf_checks=True)
    token_path = unsubscribe.stop_path(ann, "match")
    client.post(token_path)
    client.post("/match/17/move/")
    assert lines(log) == [
        "refused POST /people/unsubscribe/<str:token>/, no CSRF token: user None from 127.0.0.1",
        "refused POST /match/17/move/, no CSRF token: user None from 127.0.0.1",
    ]


def test_a_rate_limit_of_pages_is_logged(
    log: pytest.LogCaptureFixture, visitor: Client, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    for _ in range(2):
        sign_in(visitor, "nobody", SECRET)
    assert lines(log)[-1] == (
        "refused POST /account/login/, too many requests: user None from 127.0.0.1"
    )


def test_a_rate_limit_of_log_ins_is_logged(
    log: pytest.LogCaptureFixture, visitor: Client, ann: User
) -> None:
    for _ in range(6):
        sign_in(visitor, "Annabel", SECRET)
    assert "too many attempts: user None from 127.0.0.1" in lines(log)


def test_too_many_guesses_at_a_code_are_logged(
    log: pytest.LogCaptureFixture, visitor: Client, ann: User
) -> None:
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    session: Any = visitor.session
    session.count_guess(1)
    for _ in range(3):
        visitor.post("/account/login/code/confirm/", {"code": SECRET})
    assert "too many guesses at a code: from 127.0.0.1" in lines(log)


def test_typed_text_is_never_logged(
    log: pytest.LogCaptureFixture, visitor: Client, ann: User
) -> None:
    sign_in(visitor, SECRET, SECRET)
    sign_in(visitor, "Annabel", SECRET)
    sign_in(visitor, "Annabel", PASSWORD)
    visitor.get(f"/admin/{SECRET}/", {"q": SECRET}, follow=True)
    text = "\n".join(lines(log))
    assert text
    for typed in (SECRET, PASSWORD, "Annabel", "ann@example.org"):
        assert typed not in text
