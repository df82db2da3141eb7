"""Idempotency keys of match forms: a form sent twice acts once, with the same response."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.idempotency import replay
from games.idempotency.models import StoredResponse
from games.play.models.match import Match
from games.play.models.ply import Ply
from tests.floors import at_least
from tests.play import forms, match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

TEMPLATES = settings.BASE_DIR / "templates"
KEY = re.compile(r'name="idempotency_key" value="([0-9a-f]{56})"')


def form(client: Client, match: Match, move: str) -> dict[str, str]:
    """The form that the page itself would send."""
    return {
        "move": move,
        "ply": match.ply,
        "idempotency_key": KEY.findall(forms.page(client, match))[-1],
    }


def test_a_repeated_move_gets_the_first_response(alice_client: Client, match: Match) -> None:
    sent = form(alice_client, match, "a4-a5")
    answers = [alice_client.post(f"/match/{match.pk}/move/", sent) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {302}
    assert {answer["Location"] for answer in answers} == {f"/match/{match.pk}/"}
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert "it counts only once" in forms.page(alice_client, match)


# What each statement reads or writes, in their order.
STATEMENTS_OF_A_MOVE = [
    ("SELECT", "accounts_session"),  # with its user
    ("SELECT", "outbox_storedresponse"),
    ("SELECT", "play_player"),  # with match and users, and the database's clock
    ("SELECT", "play_ply"),
    ("UPDATE", "play_match"),
    ("INSERT", "play_ply"),
    ("DELETE", "play_draft"),
    ("UPDATE", "play_player"),  # both clocks
    ("INSERT", "outbox_dispatch"),
    ("INSERT", "outbox_storedresponse"),
]
STATEMENT = re.compile(r'(UPDATE|INSERT INTO|DELETE FROM|SELECT .*? FROM) "?(\w+)')


def test_the_statements_of_a_move(alice_client: Client, match: Match) -> None:
    sent = form(alice_client, match, "a4-a5")
    with CaptureQueriesContext(connection) as queries:
        assert alice_client.post(f"/match/{match.pk}/move/", sent).status_code == 302
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    statement_parts = [part for text in statements for part in STATEMENT.findall(text)[:1]]
    assert len(statement_parts) == len(statements)
    assert [(verb.split()[0], table) for verb, table in statement_parts] == STATEMENTS_OF_A_MOVE


def test_the_same_form_much_later_gets_the_first_response(
    alice_client: Client, who: People, match: Match
) -> None:
    sent = form(alice_client, match, "a4-a5")
    alice_client.post(f"/match/{match.pk}/move/", sent)
    match_helpers.play(match, "j7-j6", "a5-a6")
    again = alice_client.post(f"/match/{match.pk}/move/", sent)
    assert (again.status_code, again["Location"]) == (302, f"/match/{match.pk}/")


def test_the_same_key_with_another_move_is_refused(alice_client: Client, match: Match) -> None:
    sent = form(alice_client, match, "a4-a5")
    alice_client.post(f"/match/{match.pk}/move/", sent)
    other = alice_client.post(f"/match/{match.pk}/move/", sent | {"move": "b4-b5"})
    assert other.status_code == 422
    assert "was already sent" in other.content.decode()
    assert Ply.objects.filter(match=match).count() == match.ply + 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("zone", "status"), [("UTC", 302), ("Europe/Paris", 422)])
def test_the_second_of_two_simultaneous_requests_gets_the_first_response(
    alice_client: Client, who: People, monkeypatch: pytest.MonkeyPatch, zone: str, status: int
) -> None:
    sent = {
        "zone": "UTC",
        "language": "",
        "theme": "",
        "idempotency_key": replay.new_key(who.alice),
    }
    assert alice_client.post("/people/preferences/", sent).status_code == 302
    # The first request has not been answered yet when the second looks.
    looks: list[Callable[..., Any]] = [replay.stored_response, lambda idempotency_key: None]
    monkeypatch.setattr(
        replay, "stored_response", lambda idempotency_key: looks.pop()(idempotency_key)
    )
    assert alice_client.post("/people/preferences/", {**sent, "zone": zone}).status_code == status


def test_a_refused_move_can_be_corrected_and_sent_again(alice_client: Client, match: Match) -> None:
    sent = form(alice_client, match, "a4-a9")
    assert alice_client.post(f"/match/{match.pk}/move/", sent).status_code == 422
    assert (
        alice_client.post(f"/match/{match.pk}/move/", sent | {"move": "a4-a5"}).status_code == 302
    )
    assert match_helpers.as_is(match).ply == match.ply + 1


# --- Keys that do not count


def fields_of(page: str) -> dict[str, str]:
    """The hidden fields of the form on the page with a refusal, including its key."""
    return dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page))


@pytest.mark.parametrize("key", ["", "short", "f" * 32, "f" * 56, "Bob's", "of the last month"])
def test_a_form_with_an_invalid_key_is_offered_again_with_its_values(
    alice_client: Client, who: People, match: Match, key: str
) -> None:
    if key == "Bob's":
        key = replay.new_key(who.bob)
    if key == "of the last month":
        with time_machine.travel(time.time() - 31 * 24 * 3600):
            key = replay.new_key(who.alice)
    sent = {"move": "a4-a5", "ply": match.ply, "idempotency_key": key}
    for _ in range(3):
        refused = alice_client.post(f"/match/{match.pk}/move/", sent)
        assert refused.status_code == 422
        assert "Please send this form once more" in refused.content.decode()
    assert match_helpers.as_is(match).ply == match.ply
    assert not StoredResponse.objects.exists()
    fresh_form = fields_of(refused.content.decode())
    assert fresh_form["move"] == "a4-a5"
    for _ in range(2):
        assert alice_client.post(f"/match/{match.pk}/move/", fresh_form).status_code == 302
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert StoredResponse.objects.count() == 1


def test_values_offered_again_are_text_and_no_markup(alice_client: Client, match: Match) -> None:
    sent = {"move": '"><script>alert(1)</script>', "ply": "1", "idempotency_key": "f" * 56}
    page = alice_client.post(f"/match/{match.pk}/move/", sent).content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page


def test_a_form_without_a_csrf_token_is_not_offered_again(who: People, match: Match) -> None:
    """Otherwise another site could fill it in, and have its victim press the button."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(who.alice)
    sent = {"move": "a4-a5", "ply": match.ply, "idempotency_key": "f" * 56}
    assert client.post(f"/match/{match.pk}/move/", sent).status_code == 403


def test_a_visitors_page_has_no_key(client: Client, who: People) -> None:
    assert 'name="idempotency_key"' not in client.get("/").content.decode()


def test_each_form_of_a_page_has_a_key_of_its_own(alice_client: Client, match: Match) -> None:
    keys = KEY.findall(forms.page(alice_client, match))
    assert len(keys) == len(set(keys)) > 1


def test_resigning_twice_gets_the_same_response(alice_client: Client, who: People) -> None:
    match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
    page = alice_client.get(f"/match/{match.pk}/resign/").content.decode()
    (key,) = KEY.findall(page)
    answers = [
        alice_client.post(f"/match/{match.pk}/resign/", {"idempotency_key": key}) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Ply.objects.filter(match=match, kind="resign").count() == 1


def test_two_simultaneous_resignations_get_the_same_response(
    alice_client: Client, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
    sent = {"idempotency_key": replay.new_key(who.alice)}
    assert alice_client.post(f"/match/{match.pk}/resign/", sent).status_code == 302
    # The first request has not acted yet when the second looks for its response.
    view, looks = replay.stored_response, [lambda idempotency_key: None]
    monkeypatch.setattr(
        replay,
        "stored_response",
        lambda idempotency_key: (looks.pop() if looks else view)(idempotency_key),
    )
    again = alice_client.post(f"/match/{match.pk}/resign/", sent)
    assert (again.status_code, again["Location"]) == (302, f"/match/{match.pk}/")


def test_a_refused_resignation_gives_the_reason_each_time(
    alice_client: Client, who: People, match: Match
) -> None:
    form = {"idempotency_key": replay.new_key(who.alice)}
    for _ in range(2):
        answer = alice_client.post(f"/match/{match.pk}/resign/", form)
        assert answer.status_code == 422
        assert "abort the match instead" in answer.content.decode()


def test_a_form_without_a_key_works_as_before(alice_client: Client, match: Match) -> None:
    forms.send(alice_client, match, "a4-a5")
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert not StoredResponse.objects.exists()


def test_every_form_of_a_signed_in_reader_carries_a_key() -> None:
    forms_found = 0
    for room in ("play", "lobby", "archive", "accounts", "notifications", "admin"):
        for page in at_least(1, (TEMPLATES / room).rglob("*.html")):
            text = page.read_text()
            # Unsubscribing needs no sign-in, and doing it twice has the same effect; an export is a
            # stream, which is not kept.
            without = ("unsubscribe.html", "export.html")
            forms_here = 0 if page.name in without else text.count("{% csrf_token %}")
            assert text.count("{% idempotency_key %}") == forms_here, page
            forms_found += forms_here
    assert forms_found > 20
