"""Lines with which a program plays on: earlier turns to hear, then what is asked, or the end."""

import json
from random import Random
from typing import Any

import pytest

from accounts.models import User
from games.bots.levels import SERGEANT
from games.bots.player import Player
from games.play.commands import endings, moves
from games.play.models.match import Match
from games.play.record.match_view import view_match
from games.play.record.seat_history import seat_history
from games.play.record.seat_lines import lines_of, lines_to_continue
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move
from tests import tiers
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People

OF_END = {"ask", "preset", "seat", "heard", "result", "reason", "match", "at"}


def lines(match: Match, user: User, after: int = -1) -> list[dict[str, Any]]:
    history = seat_history(match.pk, user, after=after)
    assert history
    seat_lines = lines_to_continue(history)
    assert json.loads(json.dumps(seat_lines)) == seat_lines
    return seat_lines


def play_on(match: Match, count: int, seed: int = 3) -> None:
    """Play random moves until so many are played or the match is over."""
    rng = Random(seed)
    for _ in range(count):
        match.refresh_from_db()
        if not match.is_live:
            return
        mover = match.players.select_related("user").get(to_act=True).user
        view = view_match(match.pk, mover)
        legal = sorted(write_move(view.rules, move) for move in view.observation.moves)
        moves.submit_move(match.pk, mover, rng.choice(legal), match.ply)
    match.refresh_from_db()


def test_a_set_up_is_requested_until_it_is_sent(who: People) -> None:
    match = match_helpers.new_match(who)
    (line,) = lines(match, who.bob)
    assert (line["ask"], line["at"], line["match"]) == ("setup", 0, match.pk)
    match_helpers.send_setup(match, Seat.NORTH)
    assert lines(match, who.bob) == []
    (line,) = lines(match, who.alice)
    assert (line["ask"], line["at"]) == ("setup", 1)


def test_earlier_turns_are_listed_and_the_newest_is_asked(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a6")
    first, second = lines(match, who.alice)
    assert (first["ask"], first["answer"], first["at"]) == ("hear", "a4-a5", 2)
    assert (second["ask"], second["answer"], second["at"]) == ("hear", "a5-a6", 4)
    assert "legal" not in first
    assert second["heard"] == [["S", "a4-a5"], ["N", "j7-j6"]]
    heard, question = lines(match, who.bob)
    assert (heard["ask"], question["ask"], question["at"]) == ("hear", "move", match.ply)
    assert question["legal"]


def test_the_answer_has_no_annotations(who: People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who), north=match_helpers.RECKLESS)
    match_helpers.play(match, "a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")
    (*heard, end) = lines(match, who.alice)
    assert [line["answer"] for line in heard] == ["a4-a5", "a5-a6", "a6xa7"]
    assert end["heard"][-1][1].startswith("a6xa7[")
    assert (end["result"], end["reason"]) == ("S", "flag captured")


def test_after_a_ply_only_newer_lines_are_given(who: People) -> None:
    match = match_helpers.running_match(who)
    play_on(match, 9)
    every = lines(match, who.bob)
    for number, line in enumerate(at_least(4, every)):
        assert lines(match, who.bob, after=line["at"]) == every[number + 1 :]
    assert lines(match, who.bob, after=match.ply + 5) == []


def test_matches_that_end_off_the_board_have_an_end_line(who: People) -> None:
    resigned = match_helpers.finished_match(who)
    for user in (who.alice, who.bob):
        end = lines(resigned, user)[-1]
        assert set(end) == OF_END
        assert [line["at"] for line in lines(resigned, user, after=end["at"] - 1)] == [end["at"]]
        assert lines(resigned, user, after=resigned.ply) == []
        assert (end["ask"], end["result"], end["reason"], end["at"]) == (
            "end",
            "S",
            "resigned",
            resigned.ply,
        )
    drawn = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
    endings.offer_draw(drawn.pk, who.alice)
    endings.accept_draw(drawn.pk, who.bob)
    drawn.refresh_from_db()
    assert lines(drawn, who.bob)[-1]["result"] == "draw"
    aborted = match_helpers.new_match(who)
    endings.abort(aborted.pk, who.bob)
    aborted.refresh_from_db()
    (end,) = lines(aborted, who.alice)
    assert (end["result"], end["reason"], end["heard"]) == ("*", "aborted", [])


def test_rule_options_are_in_every_line(who: People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, switches={"spy_both": True}))
    play_on(match, 4)
    match_helpers.resign(match, Seat.SOUTH)
    for line in at_least(3, lines(match, who.alice)):
        assert line["switches"] == match.switches


@pytest.mark.parametrize("preset", tiers.editions())
def test_a_restarted_program_answers_like_one_that_read_everything(
    who: People, preset: str
) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, preset))
    play_on(match, 10)
    if not match.is_live:
        return
    mover = match.players.select_related("user").get(to_act=True).user
    history = seat_history(match.pk, mover)
    assert history
    house = lines_of(history)
    steady, restarted = Player(4, SERGEANT), Player(4, SERGEANT)
    for line in house[:-1]:
        steady.update(line)
    (*heard, question) = lines(match, mover)
    assert [restarted.answer(line) for line in heard] == [None] * len(heard)
    assert restarted.answer(question) == steady.answer(house[-1])
