"""Limits by the minute: which one, and how many seconds to wait."""

import json
import time

import pytest
from pytest_django import Settings

from accounts.models import User
from games.api.gate import limits
from tests.api.client import Program, code


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[float]:
    """The clock of the limits, in seconds; it only changes when a test sets it."""
    settings.API_LIMITS = {"read": 3, "write": 2, "visitor": 1}
    clock = [1_000_000_020.5]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    return clock


def statuses(program: Program, number: int, path: str = "/presets") -> list[int]:
    return [program.get(path).status_code for _ in range(number)]


def test_a_refusal_names_the_limit_and_its_seconds(
    alice_program: Program, instant: list[float]
) -> None:
    assert statuses(alice_program, 3) == [200] * 3
    answer = alice_program.get("/presets")
    assert code(answer) == (429, "too-many-requests")
    problem = json.loads(answer.content)
    assert (problem["limit"], problem["retry_after"]) == ("read", 60)
    assert answer["Retry-After"] == "60"
    instant[0] += 60
    assert statuses(alice_program, 1) == [200]


def test_reading_and_writing_are_counted_separately(
    alice_program: Program, instant: list[float]
) -> None:
    assert statuses(alice_program, 4)[-1] == 429
    assert [alice_program.send("POST", "/account").status_code for _ in range(3)] == [405, 405, 429]
    problem = json.loads(alice_program.send("POST", "/account").content)
    assert problem["limit"] == "write"


def test_each_token_and_each_address_has_its_own_limit(
    alice_program: Program, bob_program: Program, visitor: Program, instant: list[float], bob: User
) -> None:
    assert statuses(alice_program, 4)[-1] == 429
    assert statuses(bob_program, 3) == [200] * 3
    assert statuses(visitor, 2) == [200, 429]
    other = visitor.get("/presets", REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 200


def test_bad_tokens_and_unknown_paths_count_as_a_visitor(
    visitor: Program, instant: list[float]
) -> None:
    bad = Program(token="nonsense")
    assert statuses(bad, 2) == [401, 429]
    assert statuses(visitor, 1, "/nothing") == [429]


def test_an_ipv6_network_has_one_count(visitor: Program, instant: list[float]) -> None:
    one = visitor.get("/presets", REMOTE_ADDR="2001:db8:0:1::1")
    other = visitor.get("/presets", REMOTE_ADDR="2001:db8:0:1:ffff::2")
    third = visitor.get("/presets", REMOTE_ADDR="2001:db8:0:2::1")
    assert [each.status_code for each in (one, other, third)] == [200, 429, 200]


def test_the_number_of_counters_is_limited(
    visitor: Program, instant: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_COUNTED", 3)
    for number in range(10):
        visitor.get("/presets", REMOTE_ADDR=f"192.0.2.{number}")
    assert len(limits._counts) <= 4
    assert visitor.get("/presets", REMOTE_ADDR="192.0.2.99").status_code == 429


def test_limits_can_be_switched_off(
    alice_program: Program, visitor: Program, settings: Settings
) -> None:
    settings.API_LIMITS = {}
    assert set(statuses(visitor, 70)) == {200}
    assert alice_program.read("/account")["limits"] == {"read": None, "write": None}
