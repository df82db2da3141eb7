"""Whole matches between two tokens over HTTP, by random legal moves out of the lines."""

import json
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from games.rules import registry
from tests import tiers
from tests.api.playing import service
from tests.api.playing.service import Caller
from tests.stack import Stack

pytestmark = pytest.mark.long

Playing = tuple[Stack, Caller, Caller]
KEYS = [rules.key for rules in registry.editions()]
PLIES = 30  # of the matches that are resigned then


# test_first_bot.py plays on SQLite. Tests of the servers have a PostgreSQL that runs already.
@pytest.fixture(
    scope="module",
    params=[
        pytest.param("sqlite", marks=pytest.mark.soak),
        pytest.param("postgresql", marks=pytest.mark.servers),
    ],
)
def service_and_players(request: pytest.FixtureRequest) -> Iterator[Playing]:
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").create("whole")
    with service.playing(url) as stack_and_players:
        yield stack_and_players


def check(match: int, ends: Any, south: Caller, north: Caller) -> None:
    """Both last lines agree with the public match; a program that starts now gets all lines."""
    public = south.read(f"/matches/{match}")
    for end in ends:
        assert (end["result"], end["reason"]) == (public["result"], public["reason"])
        assert end["at"] == public["ply"]
    moves: list[list[str]] = []
    after: int | None = public["opening"]
    while after is not None:
        page = south.read(f"/matches/{match}/plies?after={after}")
        moves += [[ply["seat"], ply["text"]] for ply in page["plies"] if ply["kind"] == "move"]
        after = page["next"]
    for caller, player in zip((south, north), public["players"], strict=True):
        lines = caller.lines(match)
        assert [line["ask"] for line in lines] == ["hear"] * (len(lines) - 1) + ["end"]
        heard = [entry for line in lines for entry in line["heard"] if entry[0] != "*"]
        assert heard == moves
        own = [text for seat, text in moves if seat == player["seat"]]
        answers = [line["answer"] for line in lines[:-1]]
        assert all(text.startswith(given) for text, given in zip(own, answers, strict=True))


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(("assaut", "domino", "tactique-convert"), fast=("domino",)),
)
def test_resigned_matches_agree_with_the_record(service_and_players: Playing, preset: str) -> None:
    _stack, south, north = service_and_players
    match = service.begin(south, north, preset, pace="none")
    check(match, service.play(match, (south, north), 5, PLIES), south, north)


@pytest.mark.soak
@pytest.mark.parametrize("preset", KEYS)
def test_matches_of_every_edition_can_be_played_to_the_end(
    service_and_players: Playing, preset: str
) -> None:
    _stack, south, north = service_and_players
    match = service.begin(south, north, preset, pace="none")
    ends = service.play(match, (south, north), 7)
    check(match, ends, south, north)
    assert ends[0]["reason"] not in ("resigned", "time")


def test_every_move_sent_twice_at_once_is_one_ply(service_and_players: Playing) -> None:
    """With one key, two keys, or none."""
    stack, south, north = service_and_players
    players = (south, north)
    others = [Caller(stack.url(), caller.token) for caller in players]
    match = service.begin(south, north, "lattaque-en", pace="none")
    rng, replayed = Random(3), 0
    for turn in range(18):
        side = turn % 2
        line = players[side].lines(match)[-1]
        path, body = service.answered(line, service.answer_to(line, rng))
        keys = (("", ""), (f"key-{turn:06}",) * 2, (f"one-{turn:06}", f"two-{turn:06}"))
        pair = zip((players[side], others[side]), keys[turn // 2 % 3], strict=True)
        calls = [partial(caller.send, "POST", path, body, key) for caller, key in pair]
        one, other = service.at_once(*calls)
        assert (one[0], other[0]) == (200, 200), (one, other)
        plies = {json.loads(answer[1])["ply"] for answer in (one, other)}
        assert plies == {turn + 1}
        if turn // 2 % 3 == 1:
            assert one[1] == other[1]
            replayed += sum("Idempotency-Replayed" in answer[2] for answer in (one, other))
    assert players[0].read(f"/matches/{match}")["ply"] == 18
    assert replayed == 6
    for caller in others:
        caller.connection.close()


def test_a_move_resent_after_the_server_was_killed_counts_once(
    service_and_players: Playing,
) -> None:
    stack, south, north = service_and_players
    match = service.begin(south, north, "lattaque-en", pace="none")
    rng = Random(4)
    for turn in range(4):
        caller = (south, north)[turn % 2]
        line = caller.lines(match)[-1]
        path, body = service.answered(line, service.answer_to(line, rng))
        key = f"match-{match}-ply-{line['at']}"
        kept = caller.post(path, body, key)
        if turn == 1:
            stack.restart("web1")
            # Their connections ended with the server.
            south.connection.close()
            north.connection.close()
        status, content, headers = caller.send("POST", path, body, key)
        assert (status, json.loads(content)) == (200, kept)
        assert headers["Idempotency-Replayed"] == "true"
    assert south.read(f"/matches/{match}")["ply"] == 4
