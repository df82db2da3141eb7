"""Results of set-ups: in the library, and a warning before one is used again."""

import html
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.play.models.match import Match
from games.play.setups import arrangement, library
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests.play import forms, match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

RULES = registry.ruleset("lattaque-en")
SOUTH, NORTH = match_helpers.SETUPS["lattaque-10x10"]
ARMY = arrangement.from_text(RULES, Seat.SOUTH, SOUTH)
MIRRORED = arrangement.mirrored(RULES, ARMY)
OTHER = arrangement.turned(RULES, arrangement.from_text(RULES, Seat.NORTH, NORTH))
WARNING = "with this set-up, or its mirror image, before."


def keep(user: User, name: str, placed: dict[str, str]) -> None:
    library.save(user, RULES, Seat.SOUTH, name, placed)


def results_in_library(user: User) -> dict[str, str]:
    """The results of each set-up in the library, by its name."""
    page = html.unescape(client_of(user).get("/set-ups/").content.decode())
    rows = re.findall(r'<th scope="row"><a [^>]*>(.*?)</a></th>(.*?)</tr>', page, re.S)
    return {name: re.findall(r"<td>([^<]*)</td>", row)[-2] for name, row in rows}


def text(placed: dict[str, str], seat: Seat = Seat.SOUTH) -> str:
    stands = placed if seat is Seat.SOUTH else arrangement.turned(RULES, placed)
    return arrangement.to_text(RULES, seat, stands)


def check_page(match: Match, user: User, placed: dict[str, str], seat: Seat = Seat.SOUTH) -> str:
    """The page before a set-up is sent."""
    stands = placed if seat is Seat.SOUTH else arrangement.turned(RULES, placed)
    response = forms.set_up(client_of(user), match, "check", **stands)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_results_count_a_set_up_its_mirror_image_and_either_seat(who: People) -> None:
    keep(who.alice, "Wall", ARMY)
    keep(who.alice, "Fox", OTHER)
    match_helpers.finished_match(who)
    mirrored = match_helpers.set_up(match_helpers.new_match(who), south=text(MIRRORED))
    match_helpers.resign(match_helpers.play(mirrored, "a4-a5", "j7-j6"), Seat.SOUTH)
    turned = People(who.bob, who.alice, who.charlie)
    as_north = match_helpers.set_up(match_helpers.new_match(turned), north=text(ARMY, Seat.NORTH))
    match_helpers.resign(match_helpers.play(as_north, *match_helpers.FIRST_MOVES), Seat.SOUTH)
    assert results_in_library(who.alice) == {
        "Wall": "2 won, 0 drawn, 1 lost",
        "Fox": "not played yet",
    }


def test_neither_running_matches_nor_those_of_others_count(who: People) -> None:
    keep(who.alice, "Wall", ARMY)
    keep(who.bob, "Wall", ARMY)
    keep(who.alice, "Theirs", OTHER)
    match_helpers.running_match(who)
    match_helpers.finished_match(who)
    assert results_in_library(who.alice) == {
        "Wall": "1 won, 0 drawn, 0 lost",
        "Theirs": "not played yet",
    }
    assert results_in_library(who.bob) == {"Wall": "not played yet"}
    assert results_in_library(who.charlie) == {}


def test_the_query_count_of_the_library_is_constant(who: People) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert her.get("/set-ups/").status_code == 200
        return len(captured)

    her = client_of(who.alice)
    keep(who.alice, "Wall", ARMY)
    match_helpers.finished_match(who)
    first = queries()
    keep(who.alice, "Fox", OTHER)
    match_helpers.finished_match(who)
    match_helpers.finished_match(who)
    assert queries() == first


def test_each_set_up_has_a_small_drawing(who: People) -> None:
    keep(who.alice, "Wall", ARMY)
    page = client_of(who.alice).get("/set-ups/").content.decode()
    drawn = re.search(
        r'<svg class="thumbnail" viewBox="0 0 100 40" role="img" aria-label="(.*?)">', page
    )
    assert drawn and drawn[1] == SOUTH
    letters = re.findall(r'<text x="([\d ]+)" y="\d+">(\w+)</text>', page)
    assert [row for _across, row in letters] == [re.sub(r"\d", "", row) for row in SOUTH.split("/")]
    assert all(len(across.split()) == len(row) for across, row in letters)


@pytest.mark.parametrize("again", [ARMY, MIRRORED], ids=["the same", "mirrored"])
@pytest.mark.parametrize("seat", Seat, ids=lambda seat: seat.name)
def test_reusing_a_set_up_against_the_same_opponent_causes_a_warning(
    who: People, again: dict[str, str], seat: Seat
) -> None:
    before = match_helpers.finished_match(who)
    sides = who if seat is Seat.SOUTH else People(who.bob, who.alice, who.charlie)
    match = match_helpers.new_match(sides)
    page = check_page(match, who.alice, again, seat)
    assert f"You began a match against Bob {WARNING}" in page
    assert f'href="/match/{before.pk}/"' in page
    assert WARNING not in check_page(match, who.alice, OTHER, seat)


def test_set_ups_seen_by_others_or_used_by_the_opponent_cause_no_warning(who: People) -> None:
    match_helpers.finished_match(who)
    against_charlie = match_helpers.new_match(People(who.alice, who.charlie, who.bob))
    assert WARNING not in check_page(against_charlie, who.alice, ARMY)
    # A warning about Alice's set-up would reveal it to Bob.
    match_helpers.running_match(who)
    his = match_helpers.new_match(People(who.bob, who.alice, who.charlie))
    assert WARNING not in check_page(his, who.bob, ARMY)
    assert WARNING in check_page(his, who.bob, OTHER)


def test_a_match_without_moves_is_not_counted(who: People) -> None:
    aborted = match_helpers.send_setup(match_helpers.new_match(who), Seat.SOUTH)
    assert aborted.opening is None
    assert WARNING not in check_page(match_helpers.new_match(who), who.alice, ARMY)


def test_a_set_up_is_only_compared_on_its_own_board(who: People) -> None:
    """The same letters on another board are another set-up."""
    match_helpers.finished_match(who)
    gibson = match_helpers.new_match(who, "lattaque-gibson")
    assert gibson.rules.board.files != RULES.board.files
    placed = client_of(who.alice)
    forms.set_up(placed, gibson, "place")
    page = forms.set_up(placed, gibson, "check", **forms.draft_of(gibson, who.alice))
    assert WARNING not in html.unescape(page.content.decode())
