"""Lines of a match over the API: for the requester's seat alone, only new ones, at a fixed cost."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play.models.match import Match
from games.play.record import seat_history as seat_history_module
from games.play.record.seat_history import seat_history
from games.play.record.seat_lines import lines_to_continue
from games.rules.core.observation import observe
from tests.api.client import Program, code
from tests.play import match_helpers
from tests.play.match_helpers import People


def lines(program: Program, match: Match, query: str = "") -> list[dict[str, Any]]:
    answer = program.get(f"/matches/{match.pk}/lines{query}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/x-ndjson; charset=utf-8"
    text = answer.content.decode()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_the_lines_are_those_of_the_requesters_seat(
    who: People, alice_program: Program, bob_program: Program
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    for program, user in ((alice_program, who.alice), (bob_program, who.bob)):
        history = seat_history(match.pk, user)
        assert history
        assert lines(program, match) == json.loads(json.dumps(lines_to_continue(history)))
    (heard, question) = lines(alice_program, match)
    assert (heard["ask"], heard["answer"], question["ask"], question["at"]) == (
        "hear",
        "a4-a5",
        "move",
        4,
    )
    assert [line["ask"] for line in lines(bob_program, match)] == ["hear"]


def test_after_skips_lines_already_read(who: People, alice_program: Program) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    every = lines(alice_program, match)
    assert lines(alice_program, match, "?after=1") == every
    assert lines(alice_program, match, "?after=2") == every[1:]
    assert (
        lines(alice_program, match, "?after=4") == lines(alice_program, match, "?after=999") == []
    )


def test_any_value_of_after_skips_lines_and_changes_none(
    who: People, alice_program: Program
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a4", "j6-j7", "a4-a5", "j7-j6")
    every = lines(alice_program, match)
    assert len(every) == 4
    for after in range(match.ply + 2):
        expected = [line for line in every if line["at"] > after]
        assert lines(alice_program, match, f"?after={after}") == expected
    alice_program.send("POST", f"/matches/{match.pk}/actions", {"action": "resign"})
    match.refresh_from_db()
    every = lines(alice_program, match)
    assert every[-1]["ask"] == "end"
    for after in range(match.ply + 2):
        expected = [line for line in every if line["at"] > after]
        assert lines(alice_program, match, f"?after={after}") == expected


@pytest.mark.parametrize(
    "query", ["?after=-1", "?after=x", "?after=", f"?after={10**19}", "?ply=1"]
)
def test_other_queries_are_refused(who: People, alice_program: Program, query: str) -> None:
    match = match_helpers.running_match(who)
    assert code(alice_program.get(f"/matches/{match.pk}/lines{query}")) == (422, "invalid")


def test_other_users_get_no_lines(who: People, stranger: Program) -> None:
    match = match_helpers.running_match(who)
    over = match_helpers.finished_match(who)
    answers = [stranger.get(f"/matches/{number}/lines") for number in (match.pk, over.pk, 10**15)]
    assert [code(answer) for answer in answers] == [(404, "not-found")] * 3
    assert len({answer.content for answer in answers}) == 1
    assert code(Program().get(f"/matches/{match.pk}/lines")) == (401, "unauthorized")


def test_a_poll_without_news_is_304(who: People, alice_program: Program) -> None:
    match = match_helpers.running_match(who)
    path = f"/matches/{match.pk}/lines"
    tag = alice_program.get(path)["ETag"]
    assert alice_program.get(path, HTTP_IF_NONE_MATCH=tag).status_code == 304


def long_match(who: People, plies: int) -> Match:
    """Two scouts that go back and forth without repeating a position too often."""
    match = match_helpers.running_match(who)
    turns = ["a4-a5", "j7-j6", "a5-a4", "j6-j7", "b4-b5", "e7-e6", "b5-b4", "e6-e7"]
    Match.objects.filter(pk=match.pk).update(pace="none")
    for number in range(plies):
        match_helpers.play(match, turns[number % len(turns)])
    return match


def test_new_lines_cost_the_same_in_a_long_match(
    who: People, alice_program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    observed: list[int] = []

    def counted(rules: Any, position: Any, viewpoint: Any) -> Any:
        observed.append(position.ply)
        return observe(rules, position, viewpoint)

    monkeypatch.setattr(seat_history_module, "observe", counted)
    costs = []
    for plies in (8, 40):
        match = long_match(who, plies)
        lines(alice_program, match)
        newest = match.ply
        observed.clear()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert [line["at"] for line in lines(alice_program, match, f"?after={newest - 2}")] == [
                newest
            ]
        costs.append((len(queries), len(observed)))
    assert costs[0] == costs[1]
    assert costs[0][1] == 1
    assert costs[0][0] <= 3
