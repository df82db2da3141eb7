"""Keys that clients make: one change, one stored response, given again byte for byte."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse, JsonResponse

from accounts.models import User
from games.idempotency import client_keys, replay
from games.idempotency.models import StoredApiResponse
from games.idempotency.replay import KeyReused
from games.outbox.models import Dispatch
from lib.db_clock import frozen_at, now
from tests.outbox.handlers import post

pytestmark = pytest.mark.postgresql

KEY = "match-7_ply-14"
PATH = "/api/v1/matches/7/moves"
BODY = {"move": "a4-a5", "ply": 14}


def acting(user: User, response: HttpResponse | None = None) -> Callable[[], HttpResponse]:
    """Posts a message, and answers with its number."""

    def act() -> HttpResponse:
        with replay.command_transaction():
            post("email", user=user, match=Dispatch.objects.count() + 1)
        return response or JsonResponse({"played": Dispatch.objects.count()}, status=201)

    return act


def sent(
    user: User, key: str = KEY, path: str = PATH, body: Any = BODY, response: Any = None
) -> HttpResponse:
    current = client_keys.key_for(user.pk, key, path, body)
    return client_keys.respond(current, acting(user, response))


def test_the_first_response_is_repeated_byte_for_byte(alice: User) -> None:
    first_response = JsonResponse({"name": "Zoë", "list": [1]}, status=201)
    first_response["Location"] = "/api/v1/invitations/3"
    first = sent(alice, response=first_response)
    again = sent(alice)
    assert (again.status_code, again.content) == (201, first.content)
    assert again["Location"] == "/api/v1/invitations/3"
    assert again["Content-Type"] == first["Content-Type"]
    assert again["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first
    assert Dispatch.objects.count() == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/matches/8/moves", BODY),
        (PATH, {"move": "a4-a6", "ply": 14}),
        (PATH, {"move": "a4-a5", "ply": 14, "more": None}),
        (PATH, None),
    ],
)
def test_another_path_or_body_is_refused(alice: User, path: str, body: Any) -> None:
    sent(alice)
    with pytest.raises(KeyReused):
        sent(alice, path=path, body=body)
    assert Dispatch.objects.count() == 1


def test_bodies_are_compared_as_json(alice: User) -> None:
    sent(alice)
    assert sent(alice, body=dict(reversed(BODY.items())))["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize(
    "key", ["", "seven77", "x" * 65, "with blank", "a.b.c.d.e", "ümlaut-key", "good-key\n"]
)
def test_an_invalid_key_is_refused(alice: User, key: str) -> None:
    with pytest.raises(client_keys.NotAKey):
        client_keys.key_for(alice.pk, key, PATH, BODY)


@pytest.mark.parametrize("key", ["12345678", "A_b-" * 16])
def test_the_shortest_and_the_longest_key(alice: User, key: str) -> None:
    sent(alice, key)
    assert sent(alice, key)["Idempotency-Replayed"] == "true"


def test_a_key_belongs_to_its_account(alice: User, bob: User) -> None:
    sent(alice)
    assert "Idempotency-Replayed" not in sent(bob)
    assert Dispatch.objects.count() == 2


def test_a_refusal_uses_up_no_key_and_changes_nothing(alice: User) -> None:
    def fail() -> HttpResponse:
        acting(alice)()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        client_keys.respond(client_keys.key_for(alice.pk, KEY, PATH, BODY), fail)
    assert not Dispatch.objects.exists()
    assert not StoredApiResponse.objects.exists()
    assert "Idempotency-Replayed" not in sent(alice, body={"move": "a4-a6", "ply": 14})


def test_a_refusal_after_a_duplicate_has_acted_gets_its_response(alice: User) -> None:
    def lose() -> HttpResponse:
        sent(alice)
        raise ZeroDivisionError

    current = client_keys.key_for(alice.pk, KEY, PATH, BODY)
    assert client_keys.respond(current, lose)["Idempotency-Replayed"] == "true"
    assert Dispatch.objects.count() == 1


def test_a_key_is_deleted_after_a_day(alice: User) -> None:
    sent(alice)
    with frozen_at(now() + timedelta(hours=23, minutes=59)):
        assert "Idempotency-Replayed" in sent(alice)
    with frozen_at(now() + timedelta(hours=24, minutes=1)):
        assert "Idempotency-Replayed" not in sent(alice, body={})
        assert "Idempotency-Replayed" in sent(alice, body={})
    assert StoredApiResponse.objects.count() == 1


def test_the_newest_responses_of_an_account_are_kept(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_keys, "MAX_RESPONSES", 5)
    monkeypatch.setattr(client_keys, "FORGET_EVERY", 1)
    sent(bob)
    for number in range(8):
        sent(alice, f"key-{number:04}")
    keys = StoredApiResponse.objects.filter(user=alice).order_by("pk").values_list("key", flat=True)
    assert list(keys) == [f"key-{number:04}" for number in range(3, 8)]
    assert StoredApiResponse.objects.filter(user=bob).count() == 1


def test_a_new_secret_key_keeps_stored_keys(alice: User, settings: Any) -> None:
    sent(alice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of some length"
    assert "Idempotency-Replayed" in sent(alice)


def test_responses_that_name_an_erased_user_are_deleted(alice: User, bob: User) -> None:
    bob.username = "Zoë"
    for number, name in enumerate(("Zoë", "Zoëlla")):
        response = HttpResponse(f'{{"guest": "{name}"}}', content_type="application/json")
        sent(alice, f"key-{number:04}", response=response)
    sent(alice, "key-0002", response=JsonResponse({"guest": "Zoë"}))
    client_keys.forget_name(bob)
    assert StoredApiResponse.objects.get().body == '{"guest": "Zoëlla"}'


@pytest.mark.long
@pytest.mark.usefixtures("apart")
def test_two_simultaneous_equal_requests_act_once() -> None:
    alice = User.objects.create_confirmed("Alice", "alice@example.org")

    def send(_number: int) -> HttpResponse:
        try:
            return sent(alice)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(send, range(8)))
    assert len({response.content for response in responses}) == 1
    replayed = [response for response in responses if "Idempotency-Replayed" in response]
    assert len(replayed) == 7
    assert Dispatch.objects.count() == 1
