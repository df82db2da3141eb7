"""What a bundle opens after each kind of ending, and that it holds."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from games.play.commands import endings, moderation
from games.play.models.match import Match
from games.play.record.proofs import bundles
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import HOLDS, play_at_random, proofs_of, verified

pytestmark = pytest.mark.django_db

RUNNING = ("a4-a5", "j7-j6")


def opened_counts(match: Match) -> tuple[int, int]:
    """How many seal lines and open lines the bundle has."""
    lines = bundles.bundle(match.pk).splitlines()
    whole, squares = (sum(line.startswith(kind) for line in lines) for kind in ("seal ", "open "))
    return whole, squares


def verified_output(match: Match, folder: Path) -> str:
    status, output = verified(folder, proofs_of(match))
    assert status == HOLDS, output
    return output


def draw(match: Match, who: People) -> None:
    endings.offer_draw(match.pk, who.alice)
    endings.accept_draw(match.pk, who.bob)


@pytest.mark.parametrize(
    ("end", "result"),
    [
        (lambda match, who: endings.resign(match.pk, who.bob), "S resigned"),
        (lambda match, who: endings.resign(match.pk, who.alice), "N resigned"),
        (draw, "draw agreed"),
    ],
)
def test_an_ending_by_the_players_opens_both_armies(
    who: People, end: Callable[[Match, People], None], result: str, tmp_path: Path
) -> None:
    match = match_helpers.running_match(who, *RUNNING)
    assert opened_counts(match) == (0, 8)  # four empty squares a side
    end(match, who)
    assert opened_counts(match) == (2, 0)
    assert f", {result}. Armies: both open." in verified_output(match, tmp_path)


def test_a_win_on_the_board_opens_both_armies(who: People, tmp_path: Path) -> None:
    match = match_helpers.decided_match(who)
    assert opened_counts(match) == (2, 0)
    assert "S flag captured" in verified_output(match, tmp_path)


def test_an_ending_on_time_opens_nothing_more_for_48_hours(who: People, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, *RUNNING)
    late = now() + timedelta(days=4)
    with frozen_at(late):
        assert endings.claim_time(match.pk)
        assert opened_counts(match) == (0, 8)
        assert "Armies: not open until " in verified_output(match, tmp_path)
    with frozen_at(late + timedelta(hours=47, minutes=59)):
        assert opened_counts(match) == (0, 8)
    with frozen_at(late + timedelta(hours=48, minutes=1)):
        assert opened_counts(match) == (2, 0)
        assert "N time" in verified_output(match, tmp_path)


def test_a_reopened_match_continues(who: People, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, *RUNNING)
    with frozen_at(now() + timedelta(days=4)):
        endings.claim_time(match.pk)
        moderation.reopen(match.pk, "The clock was wrong.")
        assert opened_counts(match) == (0, 8)
        verified_output(match, tmp_path)
    with frozen_at(now() + timedelta(days=10)):
        assert opened_counts(match) == (0, 8)
        endings.resign(match.pk, who.bob)
        assert opened_counts(match) == (2, 0)
        verified_output(match, tmp_path)


@pytest.mark.parametrize("after_time", [False, True])
def test_an_annulled_match_opens_nothing_more(
    who: People, after_time: bool, tmp_path: Path
) -> None:
    match = match_helpers.running_match(who, *RUNNING)
    with frozen_at(now() + timedelta(days=4)):
        if after_time:
            endings.claim_time(match.pk)
        moderation.void(match.pk, "A name that may have to be erased.")
        assert "may have to be erased" not in bundles.bundle(match.pk)
        assert "- void" in verified_output(match, tmp_path)
    with frozen_at(now() + timedelta(days=30)):
        assert opened_counts(match) == (0, 8)


def test_an_aborted_match_opens_nothing(who: People, tmp_path: Path) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who))
    endings.abort(match.pk, who.alice)
    assert opened_counts(match) == (0, 8)
    assert "- aborted" in verified_output(match, tmp_path)


def test_one_set_up_alone_opens_nothing_after_any_ending(who: People, tmp_path: Path) -> None:
    match = match_helpers.new_match(who)
    match_helpers.send_setup(match, Seat.SOUTH)
    assert opened_counts(match) == (0, 0)
    with frozen_at(now() + timedelta(days=6)):
        assert endings.claim_time(match.pk)
    with frozen_at(now() + timedelta(days=30)):
        assert opened_counts(match) == (0, 0)
        assert "- no set-up in time" in verified_output(match, tmp_path)


def test_each_match_of_a_set_has_its_own_deal(who: People, tmp_path: Path) -> None:
    first, second = match_helpers.open_set(who, "domino")
    for match in (first, second):
        match_helpers.set_up(match)
    seeds = []
    for match in (first, second):
        for _ in play_at_random(match, Random(match.pk), 2):
            pass
        endings.resign(match.pk, who.alice)
        verified_output(match, tmp_path)
        lines = bundles.bundle(match.pk).splitlines()
        seeds += [line for line in lines if line.startswith("seed ")]
        if match is first:
            assert "seed " not in bundles.bundle(second.pk)
    assert len(set(seeds)) == 2
