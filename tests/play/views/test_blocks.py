"""Blocks of plies on the match page: what its reader may see of the past, and nothing more."""

from collections.abc import Iterable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.models.match import Match
from games.play.record import match_view
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation
from tests import tiers
from tests.play import blocks, match_helpers
from tests.play.blocks import fetch, of_block, of_page
from tests.play.forms import client_of
from tests.play.match_helpers import People

BATTLE = ("a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7", "j5-j6")
TO_AND_FRO = ("a4-a5", "j7-j6", "a5-a4", "j6-j7")


def assert_same_as_pages(client: Client, match: Match, plies: Iterable[int]) -> None:
    path = match.get_absolute_url()
    address, _battles, size = blocks.addresses(client.get(path).content.decode())
    for ply in plies:
        fetched = fetch(client, address.format(ply // size))
        html = client.get(f"{path}?ply={ply}").content.decode()
        block, shown = of_block(fetched)[ply], of_page(html)
        assert block.squares.keys() == shown.squares.keys() and block.marks == shown.marks
        if "<button" not in str(shown.squares) and "<a " not in str(shown.squares):
            assert block.squares == shown.squares
        assert {name: block.texts.get(name, "") for name in shown.texts} == shown.texts
        for line in fetched["lines"]:
            current = f'href="?ply={line["ply"]}" '
            assert line["html"] in html.replace(' aria-current="step"', "") or current not in html


def test_each_ply_is_what_the_match_page_shows_for_it(who: People) -> None:
    match = match_helpers.running_match(who, *BATTLE)
    for client in (client_of(who.alice), client_of(who.bob), client_of(who.charlie), Client()):
        assert_same_as_pages(client, match, range(7))


@pytest.mark.long
@pytest.mark.parametrize(
    "preset", tiers.parameters(["domino", "tactique", "assaut"], fast=["tactique"])
)
def test_blocks_match_the_page_in_every_game_and_after_the_end(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    for _ply in range(6):
        mover = match.players.select_related("user").get(to_act=True)
        view = match_view.view_match(match.pk, mover.user)
        text = notation.write_move(view.rules, view.observation.moves[0])
        match_helpers.play(match, text)
    for _state in range(2):
        for client in (client_of(who.alice), client_of(who.bob), Client()):
            assert_same_as_pages(client, match, range(7))
        match = match_helpers.resign(match, Seat.SOUTH) if match.is_live else match


def test_readers_see_only_what_their_own_side_knew(who: People) -> None:
    match = match_helpers.running_match(who, *BATTLE)
    path = f"/match/{match.pk}/plies/0/"
    for client, south, north in (
        (client_of(who.alice), False, True),
        (client_of(who.bob), True, False),
        (client_of(who.charlie), True, True),
        (Client(), True, True),
    ):
        for path_asked in (path, f"{path}?eyes=open", f"{path}?whole=1", f"{path}?ply=0"):
            looks = str(fetch(client, path_asked)["looks"])
            assert ("south hidden" in looks, "north hidden" in looks) == (south, north)


def test_blocks_of_a_running_match_are_not_cached(who: People) -> None:
    match = match_helpers.running_match(who, *BATTLE)
    client = client_of(who.alice)
    html = client.get(match.get_absolute_url()).content.decode()
    address, battles, _size = blocks.addresses(html)
    for path_asked in (address.format(0), battles):
        assert client.get(path_asked)["Cache-Control"] == "no-store, private"
        assert "ETag" not in client.get(path_asked)
    assert client.get(battles).json() == [5]


def test_a_match_in_set_up_has_no_blocks(who: People) -> None:
    match = match_helpers.new_match(who)
    for client in (client_of(who.alice), Client()):
        for name in ("plies/0/", "battles/"):
            assert client.get(f"/match/{match.pk}/{name}").status_code == 404
            assert client.get(f"/match/4711/{name}").status_code == 404
            assert client.post(f"/match/{match.pk}/{name}").status_code == 405


def test_a_block_costs_the_same_queries_in_a_long_match(who: People) -> None:
    def cost(match: Match, name: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/match/{match.pk}/{name}").status_code == 200
        return len(queries)

    client = client_of(who.alice)
    short = match_helpers.running_match(who)
    long = match_helpers.running_match(who, *TO_AND_FRO * 20)
    cost(short, "plies/0/")
    assert cost(short, "plies/0/") == cost(long, "plies/0/") == cost(long, "plies/2/") <= 4
    assert cost(short, "battles/") == cost(long, "battles/") <= 4
