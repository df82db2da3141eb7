"""The gate: tokens, methods, paths, headers, and no session."""

import json
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import AccessToken, Session, User
from accounts.tokens import making, texts
from games.api.reading import accounts
from games.play.models.match import Match
from lib.db_clock import now
from tests.api.client import PROBLEM, Program, code

pytestmark = pytest.mark.postgresql_soak


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "Token %s", "ünicode"],
)
def test_a_bad_token_is_refused_even_where_none_is_needed(visitor: Program, header: str) -> None:
    # A new token in the parameter would differ between the processes that collect the tests.
    given = header.replace("%s", texts.new())
    answer = visitor.get("/presets", HTTP_AUTHORIZATION=given)
    assert code(answer) == (401, "unauthorized")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_all_bad_tokens_get_the_same_response(alice: User, bob: User, visitor: Program) -> None:
    expired = making.create(alice, "old", expires_at=now() - timedelta(days=1)).text
    revoked = making.create(alice, "gone")
    AccessToken.objects.filter(pk=revoked.token.pk).delete()
    blocked = making.create(bob, "his").text
    User.objects.filter(pk=bob.pk).update(is_active=False)
    answers = {
        (answer.status_code, answer.content, str(sorted(answer.items())))
        for token in (expired, revoked.text, blocked, texts.new(), "x", "")
        for path in ("/presets", "/account", "/account")
        if (
            answer := visitor.get(
                path, HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_X_REQUEST_ID="same"
            )
        )
    }
    assert len(answers) == 1
    missing = visitor.get("/account")
    assert (missing.status_code, missing.content) in {each[:2] for each in answers}


def test_the_security_log_has_each_refusal_without_the_token(
    visitor: Program, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "accounts.security")
    token = making.create(bob, "empty")
    AccessToken.objects.filter(pk=token.token.pk).update(scopes="play")
    visitor.get("/account", HTTP_AUTHORIZATION="Bearer hunter2")
    visitor.get("/account", HTTP_AUTHORIZATION=f"Bearer {token.text}")
    lines = [record.getMessage() for record in caplog.records if "refused" in record.getMessage()]
    assert lines == [
        # The path of a stranger is not looked up.
        "refused GET an unknown page, no valid token: user None from 127.0.0.1",
        f"refused GET /api/v1/account, no permission: user {bob.pk} from 127.0.0.1",
    ]


def test_a_missing_scope_is_named(visitor: Program, bob: User) -> None:
    token = making.create(bob, "empty")
    AccessToken.objects.filter(pk=token.token.pk).update(scopes="play")
    answer = visitor.get("/account", HTTP_AUTHORIZATION=f"Bearer {token.text}")
    assert code(answer) == (403, "insufficient-scope")
    assert json.loads(answer.content)["scope"] == "read"


def test_a_session_gives_no_access_to_the_api_and_a_token_none_to_pages(
    alice_client: Client, alice_program: Program
) -> None:
    sessions = Session.objects.values_list("session_data", flat=True)
    before = list(sessions)
    answer: Any = alice_client.get("/api/v1/account")
    assert code(answer) == (401, "unauthorized")
    assert list(sessions) == before, "No visit is noted."
    page = Client().get("/people/preferences/", HTTP_AUTHORIZATION=f"Bearer {alice_program.token}")
    assert page.status_code == 302


def test_no_header_mentions_cookies(alice_program: Program, alice_client: Client) -> None:
    answers: list[Any] = [
        alice_program.get("/account"),
        alice_client.get("/api/v1/presets"),
        alice_client.get("/api/v1/x"),
    ]
    for answer in answers:
        assert "Vary" not in answer
        assert not answer.cookies
        assert "Access-Control-Allow-Origin" not in answer


NOWHERE = [
    *("/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/account", "/api/v1/account/", "/api/%ff"),
    *("/api/v1//account", "/api/v1/matches/", "/api/v1/matches/abc", "/api/v1/matches/-1"),
    *("/api/v1/matches/%00", f"/api/v1/matches/{'9' * 19}", "/api/v1/matches/99"),
    *("/api/v1/matches/1/board/", "/api/v1/invitations/99", "/api/v1/matches/99/record"),
]


@pytest.mark.parametrize("path", NOWHERE)
def test_an_unknown_path_is_a_problem(alice_program: Program, visitor: Program, path: str) -> None:
    for program in (alice_program, visitor):
        assert code(program.get(path)) == (404, "not-found")
    assert visitor.get(path).content == visitor.get("/api/v1/nothing").content


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_other_methods_are_refused_with_the_allowed_ones(
    alice_program: Program, method: str
) -> None:
    answer = alice_program.send(method, "/account")
    assert code(answer) == (405, "method-not-allowed")
    assert answer["Allow"] == "GET, HEAD, OPTIONS"


def test_options_lists_the_methods(visitor: Program) -> None:
    answer = visitor.send("OPTIONS", "/account")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer["Allow"] == "GET, HEAD, OPTIONS"
    assert code(visitor.send("OPTIONS", "/nothing")) == (404, "not-found")


def test_head_is_get_without_content(alice_program: Program, match: Match) -> None:
    for path in ("/account", f"/matches/{match.pk}", "/nothing", f"/matches/{match.pk}/record"):
        got, head = alice_program.get(path), alice_program.send("HEAD", path)
        assert head.content == b""
        assert head.status_code == got.status_code
        for name in ("Content-Length", "Content-Type", "Cache-Control"):
            assert head[name] == got[name]
        assert head.get("ETag") == got.get("ETag")
        assert int(head["Content-Length"]) == len(got.content)


def test_failures_are_problems(
    alice_program: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(error: Exception) -> None:
        def raising(*_: object) -> None:
            raise error

        monkeypatch.setattr(accounts, "count_waiting", raising)

    fail(ZeroDivisionError(alice_program.token))
    answer = alice_program.get("/account", HTTP_ACCEPT_LANGUAGE="en")
    assert code(answer) == (500, "internal-error")
    away = OperationalError()
    away.__cause__ = psycopg.OperationalError()
    fail(away)
    answer = alice_program.get("/account")
    assert code(answer) == (503, "unavailable")
    assert answer["Retry-After"] == "30"


def test_the_log_has_the_id_of_the_token_and_never_its_text(
    alice_program: Program, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ACCESS_LOG = True
    caplog.set_level("DEBUG")
    alice_program.get("/account")
    number = AccessToken.objects.get().pk
    (record,) = [each for each in caplog.records if each.name == "access"]
    fields = vars(record)["fields"]
    assert fields["token"] == number
    assert fields["user"] == AccessToken.objects.get().user_id
    assert fields["route"] == "/api/v1/account"
    assert alice_program.token not in caplog.text
    assert alice_program.token not in str([vars(each) for each in caplog.records])


def test_another_host_is_refused(visitor: Program) -> None:
    assert code(visitor.get("/presets", HTTP_HOST="evil.example")) == (400, "malformed")


def test_what_is_refused_before_the_gate_is_a_problem(visitor: Program, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = visitor.get("/presets", HTTP_HOST="evil.example", HTTP_ACCEPT_LANGUAGE="de")
    assert code(answer) == (400, "malformed")
    page = Client().get("/games/", headers={"Host": "evil.example"})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


MANY_PARAMETERS = "&".join(f"p{number}=1" for number in range(1_001))


@pytest.mark.parametrize("path", ["/presets", "/account", "/archive", "/nothing", "/lobby"])
def test_too_many_parameters_are_a_problem(alice_program: Program, path: str) -> None:
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        answer = alice_program.send(method, f"{path}?{MANY_PARAMETERS}")
        assert answer.status_code in (204, 400, 404, 405)
    expected = (404, "not-found") if path == "/nothing" else (400, "malformed")
    assert code(alice_program.get(f"{path}?{MANY_PARAMETERS}")) == expected


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "zlib", "rot13", "idna", "nonsense"])
def test_parameters_are_utf_8_whatever_the_type_of_the_body_says(
    visitor: Program, charset: str
) -> None:
    content_type = f"text/plain; charset={charset}"
    for query in ("%41=1", "%ff=%fe", "ä=ö", "player=%C3%A4"):
        answer = visitor.send("GET", f"/archive?{query}", content_type=content_type)
        assert code(answer) == (422, "invalid")


def test_headers_of_any_length_are_answered_with_json(visitor: Program) -> None:
    long = "x" * 60_000
    for name in ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE", "HTTP_X_FORWARDED_FOR", "HTTP_REFERER"):
        assert visitor.get("/presets", **{name: long}).status_code == 200
    for host in (long, "a b", "testserver:x", "", "[::1", "testserver\\@evil.example"):
        assert code(visitor.get("/presets", HTTP_HOST=host)) == (400, "malformed")


def test_sentences_follow_accept_language_and_codes_do_not(visitor: Program) -> None:
    german = visitor.get("/nothing", HTTP_ACCEPT_LANGUAGE="de")
    english = visitor.get("/nothing", HTTP_ACCEPT_LANGUAGE="en")
    assert json.loads(german.content)["code"] == json.loads(english.content)["code"]
    assert german["Content-Type"] == PROBLEM


def test_a_token_costs_one_query(
    alice_program: Program, visitor: Program, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice_program.get("/presets")  # notes the day
    with django_assert_num_queries(1):
        alice_program.get("/presets")
    with django_assert_num_queries(0):
        visitor.get("/presets")
        visitor.get("/nothing")
        visitor.get("/presets", HTTP_AUTHORIZATION="Bearer nonsense")


def test_the_token_is_checked_before_everything_else(alice: User, visitor: Program) -> None:
    assert code(visitor.get("/account?token=x")) == (401, "unauthorized")
    reader = Program(alice, "read")
    for body, key in ((b"{", ""), (b"", ""), (b"{}", "no key"), (b'{"x": 1}', "key-of-a-test")):
        answer = reader.send("POST", "/invitations?x=1", body, HTTP_IDEMPOTENCY_KEY=key)
        assert code(answer) == (403, "insufficient-scope")
    assert code(reader.get("/account?token=x")) == (422, "invalid")
