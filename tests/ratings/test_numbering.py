"""From the end of a match to the ratings: final, numbered, rated, corrected."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from games.outbox.delivery import dispatcher
from games.play.commands import endings, moderation
from games.play.models.match import Match, by_seat
from games.ratings import numbering
from games.ratings.glicko import counting, tables
from games.ratings.models import Family, Rating, Unit, WhyNot
from games.ratings.replay import differences, facts_of
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination
from lib.db_clock import frozen_at
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.ratings.results import as_set, count_at, day, finished, forfeited

pytestmark = pytest.mark.django_db
TIME = OffBoardTermination.TIME


@pytest.fixture
def who() -> Iterator[People]:
    with frozen_at(day(0)):
        yield match_helpers.people()


def reasons() -> list[str]:
    return list(Unit.objects.order_by("family", "number").values_list("why", flat=True))


def no_differences() -> None:
    for family in Unit.objects.values_list("family", flat=True).distinct():
        assert not list(differences(family))


def test_a_played_match_counts_once_it_is_over(who: People) -> None:
    with frozen_at(day(1)):
        match = match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a4", "j6-j7")
        Match.objects.filter(pk=match.pk).update(rated=True)
        match_helpers.resign(match, Seat.NORTH)
        assert [p.turns for p in by_seat(match).values()] == [2, 2]
    assert count_at(day(1.1)) == 1
    assert count_at(day(1.2)) == 0
    assert (
        Rating.objects.get(user=who.alice).rating > 1500 > Rating.objects.get(user=who.bob).rating
    )
    unit = Unit.objects.get()
    assert (unit.number, unit.quarters, unit.how, unit.least_turns) == (1, 4, "resign", 2)


def test_a_friendly_match_does_not_count(who: People) -> None:
    finished(who.alice, who.bob, "S", day(1), rated=False)
    assert count_at(day(2)) == 0


def test_a_loss_on_time_is_final_after_two_days(who: People) -> None:
    finished(who.alice, who.bob, "S", day(1), reason=TIME)
    assert count_at(day(2.9)) == 0
    assert count_at(day(3.1)) == 1
    assert Unit.objects.get().final_at == day(3)


def test_numbers_follow_the_final_instants(who: People) -> None:
    late = finished(who.alice, who.bob, "S", day(1), reason=TIME)
    early = finished(who.alice, who.charlie, "N", day(2))
    count_at(day(5))
    numbers = dict(Unit.objects.values_list("match", "number"))
    assert numbers == {early.pk: 1, late.pk: 2}


def test_an_instant_is_never_before_that_of_the_previous_number(who: People) -> None:
    finished(who.alice, who.bob, "S", day(4))
    count_at(day(5))
    finished(who.alice, who.charlie, "S", day(1))
    count_at(day(6))
    assert Unit.objects.get(number=2).final_at == day(4)


def test_a_set_counts_when_both_matches_are_over(who: People) -> None:
    first = finished(who.alice, who.bob, "S", day(1), preset="assaut")
    second = finished(who.bob, who.alice, "draw", day(2), preset="assaut")
    as_set(first, second)
    count_at(day(3))
    unit = Unit.objects.get()
    assert (unit.match_id, unit.quarters, unit.finished_at) == (first.pk, 3, day(2))


@pytest.mark.parametrize(("by", "quarters"), [("0", 4), ("1", 2), ("01", 3)])
def test_a_player_who_aborts_a_match_of_a_set_loses_it(who: People, by: str, quarters: int) -> None:
    won = finished(who.alice, who.bob, "S", day(1))
    as_set(won, forfeited(finished(who.bob, who.alice, "S", day(2)), by))
    count_at(day(3))
    unit = Unit.objects.get()
    assert (unit.quarters, unit.why, unit.least_turns) == (quarters, "", 10)


def test_a_set_without_any_result_has_none(who: People) -> None:
    both = [forfeited(finished(who.alice, who.bob, "S", day(n)), "0") for n in (1, 2)]
    as_set(both[0], both[1])
    count_at(day(3))
    assert reasons() == [WhyNot.VOID]


def test_a_player_who_disappears_loses_three_matches_and_no_more(who: People) -> None:
    others = [match_helpers.person(f"other{n}") for n in range(6)]
    for number, other in enumerate(others, 2):
        finished(who.alice, other, "N", day(number), reason=TIME, moved_at=day(1))
    count_at(day(20))
    assert reasons() == ["", "", "", *[WhyNot.ABSENCE] * 3]
    assert {unit.loser_last_ply_at for unit in Unit.objects.all()} == {day(1)}


def test_a_player_who_plays_meanwhile_loses_them_all(who: People) -> None:
    others = [match_helpers.person(f"other{n}") for n in range(6)]
    for number, other in enumerate(others, 2):
        finished(who.alice, other, "N", day(number), reason=TIME, moved_at=day(number - 0.5))
    count_at(day(20))
    assert reasons() == [""] * 6


def a_season(who: People) -> list[Match]:
    return [
        finished(who.alice, who.bob, "S", day(1)),
        finished(who.bob, who.charlie, "S", day(2)),
        finished(who.charlie, who.alice, "draw", day(9)),
        finished(who.alice, who.bob, "N", day(30), turns=1),
        finished(who.bob, who.alice, "N", day(40)),
    ]


def test_the_stored_ratings_are_those_of_the_pure_formula(who: People) -> None:
    a_season(who)
    count_at(day(50))
    units = list(Unit.objects.order_by("number"))
    assert reasons() == ["", "", "", WhyNot.SHORT, ""]
    for unit, rated in zip(units, counting.rate(map(facts_of, units)), strict=True):
        if rated.after is not None:
            assert unit.south_after == pytest.approx(rated.after[0].rating, abs=1e-9)
            assert unit.north_after_deviation == pytest.approx(rated.after[1].deviation, abs=1e-9)
    assert Rating.objects.get(user=who.alice).counted == 3
    no_differences()


def test_an_annulment_replays_later_results(who: People) -> None:
    season = a_season(who)
    count_at(day(50))
    before = Rating.objects.get(user=who.charlie)
    # As a moderator voids a match that ended on time.
    Match.objects.filter(pk=season[0].pk).update(
        status="void", result="", finished_at=day(51), is_final=False, ply=1
    )
    count_at(day(52))
    assert reasons() == [WhyNot.VOID, "", "", WhyNot.SHORT, ""]
    assert Unit.objects.get(number=1).final_at == day(1)
    assert Rating.objects.get(user=who.charlie).rating != before.rating
    no_differences()


def test_staff_take_a_unit_out_and_put_it_back(who: People) -> None:
    a_season(who)
    count_at(day(50))
    before = list(Rating.objects.order_by("user").values_list("rating", "deviation", "counted"))
    for taken_out in (True, False):
        Unit.objects.filter(number=2).update(taken_out=taken_out)
        numbering.replay_from("lattaque", 2)
        count_at(day(51))
        assert reasons()[1] == (WhyNot.STAFF if taken_out else "")
        no_differences()
    after = Rating.objects.order_by("user").values_list("rating", "deviation", "counted")
    assert list(after) == before


def test_a_reopened_match_gets_a_new_number_at_its_next_end(who: People) -> None:
    with frozen_at(day(1)):
        match = match_helpers.new_match(who)
        Match.objects.filter(pk=match.pk).update(rated=True)
    with frozen_at(day(7)):
        assert endings.claim_time(match.pk)
    count_at(day(10))
    assert (Unit.objects.get().number, reasons()) == (1, [WhyNot.VOID])
    with frozen_at(day(11)):
        moderation.reopen(match.pk, "They were ill.")
        while dispatcher.drain():
            pass
    assert not Unit.objects.exists()
    with frozen_at(day(12)):
        match_helpers.play(match_helpers.set_up(match), "a4-a5", "j7-j6", "a5-a4", "j6-j7")
        match_helpers.resign(match, Seat.SOUTH)
    count_at(day(13))
    assert (Unit.objects.get().number, reasons()) == (2, [""])


def test_the_exported_units_give_the_same_ratings(who: People) -> None:
    a_season(who)
    count_at(day(50))
    out = io.StringIO()
    call_command("rated_units", stdout=out)
    rows = tables.read(io.StringIO(out.getvalue()))
    rated = counting.rate(unit_facts for _, unit_facts in rows)
    for (columns, _facts), result in zip(rows, rated, strict=True):
        line = dict(zip(tables.HEADER, tables.line(columns, result), strict=True))
        assert line == {name: columns[name] for name in tables.HEADER}
    assert columns["family"] == "lattaque"


@pytest.mark.parametrize("command", ["rated_units", "recompute_ratings"])
def test_an_unknown_game_is_refused_with_the_games_there_are(command: str) -> None:
    with pytest.raises(CommandError, match=r"invalid choice: .chess..*lattaque"):
        call_command(command, "--family", "chess")


def test_recompute_checks_and_repairs(who: People) -> None:
    a_season(who)
    count_at(day(50))
    out = io.StringIO()
    call_command("recompute_ratings", "--check", stdout=out)
    assert out.getvalue() == "0 differences.\n"
    Unit.objects.filter(number=3).update(south_after=1.0)
    Rating.objects.filter(user=who.bob).update(rating=1.0)
    out = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("recompute_ratings", "--check", stdout=out)
    assert stopped.value.code == 1
    assert "lattaque 3 south_after: 1.0 is stored" in out.getvalue()
    assert f"lattaque u{who.bob.pk} rating: 1.0 is stored" in out.getvalue()
    call_command("recompute_ratings", stdout=out)
    no_differences()


def test_each_game_is_counted_by_itself(who: People) -> None:
    finished(who.alice, who.bob, "S", day(1))
    finished(who.alice, who.bob, "S", day(2), preset="tactique")
    count_at(day(3))
    assert set(Family.objects.values_list("family", "last_number")) == {
        ("lattaque", 1),
        ("tactique", 1),
    }
