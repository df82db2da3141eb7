"""Game records as files: complete for finished matches, without secrets for others."""

from random import Random

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.play.commands import endings, moderation
from games.play.models.match import Match
from games.play.record import match_view
from games.rules import registry
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.text.game_record import Record, annotated, read_record
from games.rules.core.text.notation import write_move
from tests import tiers
from tests.archive.conftest import browser
from tests.play import match_helpers
from tests.play.match_helpers import People

SOUTH, NORTH = match_helpers.SETUPS["lattaque-10x10"]
NOTHING = BySeat(None, None)


def record_of(client: Client, match: Match) -> Record:
    return read_record(client.get(f"/archive/{match.pk}/record/").content.decode())


def test_the_record_of_a_finished_match_is_complete_and_replayable(
    who: People, visitor: Client
) -> None:
    match = match_helpers.decided_match(who)
    for client in (visitor, browser(who.alice), browser(who.charlie)):
        record = record_of(client, match)
        assert record.setups == BySeat(SOUTH, match_helpers.RECKLESS)
        assert (record.moves, record.result, record.reason) == (
            ("a4xa7[RvF]#",),
            "S",
            "flag captured",
        )
        assert registry.check_record(record).outcome


def test_an_ending_off_the_board_is_in_the_record(who: People, visitor: Client) -> None:
    record = record_of(visitor, match_helpers.finished_match(who))
    assert (record.result, record.reason) == ("S", "resigned")
    registry.check_record(record)


def test_the_record_of_a_running_match_has_only_the_readers_own_set_up(
    who: People, visitor: Client
) -> None:
    match = match_helpers.running_match(who, "a4xa7")
    assert record_of(browser(who.alice), match).setups == BySeat(SOUTH, None)
    assert record_of(browser(who.bob), match).setups == BySeat(None, NORTH)
    assert record_of(browser(who.charlie), match).setups == NOTHING
    assert record_of(visitor, match).setups == NOTHING
    assert record_of(visitor, match).moves == ("a4xa7[RvM]-",)
    assert record_of(visitor, match).result == "*"


def test_administrators_see_no_more_than_others(who: People, visitor: Client) -> None:
    match = match_helpers.running_match(who, "a4xa7")
    boss = match_helpers.person("Berthier", is_staff=True, is_superuser=True)
    answers = [
        client.get(f"/archive/{match.pk}/record/").content for client in (visitor, browser(boss))
    ]
    assert answers[0] == answers[1]


def test_a_set_up_sent_first_is_visible_only_to_its_owner(who: People, visitor: Client) -> None:
    match = match_helpers.send_setup(match_helpers.new_match(who), Seat.SOUTH)
    assert record_of(browser(who.alice), match).setups == BySeat(SOUTH, None)
    assert record_of(browser(who.bob), match).setups == NOTHING
    assert record_of(visitor, match).setups == NOTHING


def test_a_match_without_a_result_is_never_revealed(who: People, visitor: Client) -> None:
    cancelled, void = match_helpers.running_match(who), match_helpers.running_match(who, "a4-a5")
    endings.abort(cancelled.pk, who.alice)
    moderation.void(void.pk, "the server was ill")
    for match in (cancelled, void):
        assert record_of(visitor, match).setups == NOTHING
        assert record_of(browser(who.alice), match).setups == BySeat(SOUTH, None)
        record = record_of(visitor, match)
        assert (record.result, record.reason) == ("*", "")


def test_the_record_names_players_dates_and_the_time_of_every_move(
    who: People, visitor: Client
) -> None:
    tags = record_of(visitor, match_helpers.finished_match(who)).tags
    assert (tags["South"], tags["North"], tags["Pace"]) == ("Alice", "Bob", "3d")
    assert set(tags) == {"Match", "South", "North", "Began", "Ended", "Pace", "Times"}
    times = tags["Times"].split()
    assert len(times) == 2
    assert tags["Began"] <= times[0] <= times[1] <= tags["Ended"]


def test_switches_are_in_the_record(who: People, visitor: Client) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, switches={"spy_both": True}))
    assert record_of(visitor, match).options == {"spy_both": True}


def test_a_record_is_a_plain_text_file_with_a_safe_name(who: People, visitor: Client) -> None:
    match = match_helpers.finished_match(who)
    answer = visitor.get(f"/archive/{match.pk}/record/")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="match-{match.pk}.txt"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]


def test_a_record_needs_few_queries(
    who: People, visitor: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match = match_helpers.finished_match(who)
    with django_assert_num_queries(3):
        visitor.get(f"/archive/{match.pk}/record/")


HIDING = {rules.family: rules.key for rules in registry.editions() if rules.hidden}


@pytest.mark.parametrize("preset", HIDING.values(), ids=HIDING.keys())
def test_in_every_hidden_game_a_players_record_has_their_own_set_up(
    who: People, preset: str
) -> None:
    match = match_helpers.running_match(who, preset=preset)
    setups = record_of(browser(who.alice), match).setups
    assert match.rules.check_setup(Seat.SOUTH, setups[Seat.SOUTH]) == []
    assert setups[Seat.NORTH] is None


def test_an_open_set_up_is_in_everybodys_record(who: People, visitor: Client) -> None:
    """A4: the officers are placed openly."""
    match = match_helpers.running_match(who, preset="assaut")
    assert record_of(visitor, match).setups == BySeat(None, "c7,e7")


@pytest.mark.parametrize("preset", tiers.editions())
def test_the_record_of_every_edition_is_replayable(
    who: People, visitor: Client, preset: str
) -> None:
    """Check each move and its annotation against the rules."""
    match, rng = match_helpers.running_match(who, preset=preset), Random(preset)
    for ply in range(8):
        seen = match_view.view_match(match.pk, who[ply % 2]).observation
        if seen.moves:
            # Sorted, so that the match does not depend on the order of legal moves.
            match_helpers.play(
                match, rng.choice(sorted(write_move(match.rules, move) for move in seen.moves))
            )
    for seat, client in zip(Seat, (browser(who.alice), browser(who.bob)), strict=True):
        own = record_of(client, match)
        assert bool(own.setups[seat]) == (seat in match.rules.seats_setting_up)
        assert not (match.is_live and match.rules.hidden and own.setups[seat.other])
        assert (own.result == "*") == match.is_live
        assert len(own.moves) == match.ply - match.opening > 0
    # With random set-ups a flag may be captured this early.
    if match.is_live:
        match_helpers.resign(match, Seat.NORTH)
    record = record_of(visitor, match)
    assert registry.check_record(record).ply == len(record.moves) == len(own.moves)
    assert annotated(match.rules, record) == record


def test_volleys_before_the_first_move_are_in_the_record(who: People, visitor: Client) -> None:
    """T8: South's archers open fire as soon as both armies stand."""
    match = match_helpers.running_match(who, preset="tactique")
    opening = record_of(visitor, match).opening
    assert sorted(opening.split()) == ["~c5", "~d6"]
