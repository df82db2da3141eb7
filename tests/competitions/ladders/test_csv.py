"""`manage.py ladder_csv` and `manage.py competitions_tick`."""

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.competitions.ladders.models import Ladder
from lib.db_clock import frozen_at
from tests.competitions.ladders.scene import challenge, tick, won
from tests.ratings.results import day


def output_of(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().splitlines()


def test_places_are_printed_as_csv(ladder: Ladder, members: list[User]) -> None:
    challenge(members[5], members[4], day(2))
    with frozen_at(day(3)):
        lines = output_of("ladder_csv", "lattaque")
    assert lines[0] == "place,player,joined_at,in,out"
    assert lines[5] == f"5,u{members[4].pk},2026-01-02T00:00:00Z,1,0"
    assert lines[6] == f"6,u{members[5].pk},2026-01-02T00:00:00Z,0,1"
    assert len(lines) == 9


def test_the_log_is_printed_as_csv(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[5], members[4], day(2))
    won(match, members[5], day(3))
    tick(day(4))
    assert output_of("ladder_csv", "lattaque", "--log") == [
        "at,unit,player,from,to,why",
        f"2026-01-05T00:00:00Z,{match.pk},u{members[5].pk},6,5,won",
    ]


def test_a_game_without_a_ladder_is_an_error(db: None) -> None:
    with pytest.raises(CommandError, match="No ladder of tactique") as error:
        output_of("ladder_csv", "tactique")
    assert error.value.returncode == 2
    with pytest.raises(CommandError, match="There is no game 'chess'"):
        output_of("ladder_csv", "chess")


def test_a_tick_prints_what_it_did(ladder: Ladder, members: list[User]) -> None:
    match = challenge(members[5], members[4], day(2))
    won(match, members[5], day(3))
    with frozen_at(day(4)):
        lines = output_of("competitions_tick")
    assert "endings made final: 1" in lines
    assert "ladder challenges settled: 1" in lines
