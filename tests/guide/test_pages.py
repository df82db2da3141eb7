"""Pages of the guide: one per game, linked from every match."""

import html
import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.guide.game_pages.pictures import pictures
from games.play.record import match_view
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.sixth_game import outpost

pytestmark = pytest.mark.django_db


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


@pytest.mark.parametrize("family", registry.games)
def test_every_game_is_explained(client: Client, family: str) -> None:
    page = read(client, f"/help/{family}/")
    rules = registry.games[family][0]
    assert f"<h1>{rules.title}</h1>" in page
    for edition in at_least(1, registry.games[family]):
        # Pages show names and sentences; keys appear only in records and docs/games.
        assert edition.title in page
        assert f"<td>{edition.key}</td>" not in page
    for spec in rules.option_specs:
        assert spec.title in page and f">{spec.name}<" not in page
        assert all(sentence in page for _value, sentence in spec.choices)


@pytest.mark.parametrize("family", registry.games)
def test_a_page_shows_all_its_pictures(client: Client, family: str) -> None:
    page = read(client, f"/help/{family}/")
    for name, picture in at_least(1, pictures(family).items()):
        assert picture.caption in page
        drawn = client.get(f"/help/{family}/{name}.svg")
        assert drawn["Content-Type"] == "image/svg+xml"
        assert (f"/help/{family}/{name}.svg" in page) is bool(picture.arrows)


@pytest.mark.parametrize("family", registry.games)
def test_a_page_of_rules_reads_well_aloud(client: Client, family: str) -> None:
    page = read(client, f"/help/{family}/")
    grids = re.findall(r"<table.*?</table>", page, re.DOTALL)
    assert all("<caption>" in grid and 'scope="col"' in grid for grid in at_least(1, grids))
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert set(levels[1:]) == {2}


def test_the_guide_links_to_every_game(client: Client) -> None:
    page = read(client, "/help/")
    assert all(f'href="/help/{family}/"' in page for family in at_least(4, registry.games))


def test_an_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/help/chess/").status_code == 404
    assert client.get("/help/assaut/nothing.svg").status_code == 404


@pytest.mark.parametrize("preset", ["lattaque-zh", "domino", "tactique-step", "assaut-free"])
def test_a_match_links_to_the_rules_of_its_game(who: People, preset: str) -> None:
    match = match_helpers.new_match(who, preset)
    way = f'href="/help/{match.rules.family}/"'
    reader = client_of(who.bob)
    assert way in read(reader, f"/match/{match.pk}/")
    match = match_helpers.set_up(match)
    assert way in read(reader, f"/match/{match.pk}/")
    first = match_view.view_match(match.pk, who.alice).observation.moves[0]
    match_helpers.resign(match_helpers.play(match, write_move(match.rules, first)), Seat.NORTH)
    assert way in read(Client(), f"/archive/{match.pk}/")


def test_the_guide_makes_no_queries(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        for family in registry.games:
            client.get(f"/help/{family}/")


def test_a_game_without_its_own_template_is_explained_from_its_rules(client: Client) -> None:
    registry.register(outpost.EDITIONS)
    try:
        page = read(client, "/help/outpost/")
    finally:
        registry.withdraw("outpost")
    assert "<h1>Outpost</h1>" in page
    assert "Hussar (H) ×3" in page
    assert "Battles: attackers on the left" in page
    assert "The survivor of a battle stays face up for good." in page
