"""Blocks of a replay show exactly what the replay pages show, with the same access rules."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from games.archive import importing, shared_links
from games.play.commands import endings, moderation
from games.play.models.match import Match, by_seat
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.game_record import write_record
from lib.db_clock import now
from tests import tiers
from tests.archive.conftest import BATTLE, browser
from tests.archive.shared_match import finished, played, who
from tests.play import blocks, match_helpers
from tests.play.blocks import fetch, of_block, of_page
from tests.play.match_helpers import People
from tests.rules.shortcuts import recorded, rules_of

__all__ = ["finished", "played", "who"]  # fixtures

TO_AND_FRO = ("a4-a5", "j7-j6", "a5-a4", "j6-j7")
EYES = ("open", "south", "north", "gallery")


@pytest.fixture
def late_ending(finished: Match) -> Match:
    """A match that has just ended on time."""
    Match.objects.filter(pk=finished.pk).update(reason="time", finished_at=now())
    return finished


def assert_same_as_pages(client: Client, path: str, query: str, plies: Iterable[int]) -> None:
    """Check every ply of the blocks against its replay page."""
    html = client.get(f"{path}?{query}").content.decode()
    address, _battles, size = blocks.addresses(html)
    lines: dict[str, Any] = {}
    for ply in plies:
        block_data = fetch(client, path + address.format(ply // size))
        lines |= {line["ply"]: line["html"] for line in block_data["lines"]}
        page = client.get(f"{path}?{query}&ply={ply}").content.decode()
        block, shown = of_block(block_data)[ply], of_page(page)
        assert block.squares == shown.squares and block.marks == shown.marks
        assert {name: block.texts.get(name, "") for name in shown.texts} == shown.texts
        current = f'href="?ply={ply}&'
        for line in lines.values():
            assert line in page.replace(' aria-current="step"', "") or current not in line


@pytest.mark.parametrize("eyes", tiers.parameters(EYES, fast=("open", "south")))
def test_each_ply_of_a_block_is_what_its_page_shows(
    finished: Match, who: People, visitor: Client, eyes: str
) -> None:
    for client in (visitor, browser(who.alice)):
        assert_same_as_pages(client, f"/archive/{finished.pk}/", f"eyes={eyes}", range(7))


@pytest.mark.long
@pytest.mark.parametrize(
    "game", tiers.parameters(("domino", "tactique", "assaut"), fast=("domino",))
)
@pytest.mark.parametrize("eyes", tiers.parameters(EYES, fast=("north",)))
def test_blocks_match_pages_in_every_game_and_in_imported_records(
    who: People, game: str, eyes: str
) -> None:
    text = write_record(recorded(rules_of(game), seed=1, plies=70)[0])
    record = importing.import_record(who.alice, text).record
    plies = [ply for ply in (0, 1, 31, 32, 33, 69, record.plies) if ply <= record.plies]
    path = f"/archive/records/{record.pk}/"
    assert_same_as_pages(browser(who.alice), path, f"eyes={eyes}", plies)


def test_a_shared_link_opens_the_blocks_until_it_is_revoked(who: People, visitor: Client) -> None:
    text = write_record(recorded(rules_of("domino"), seed=1, plies=40)[0])
    record = importing.import_record(who.alice, text).record
    own = f"/archive/records/{record.pk}/"
    for client in (visitor, browser(who.bob)):
        for name in ("plies/0/", "battles/"):
            assert client.get(own + name).status_code in (302, 404)
    shared_links.share(record)
    address = shared_links.link_url(record)
    path = address[address.index("/archive/") :]
    assert_same_as_pages(visitor, path, "eyes=north", [0, 5, 40])
    assert visitor.get(path + "battles/").json() == browser(who.alice).get(own + "battles/").json()
    shared_links.revoke(record)
    for name in ("plies/0/", "battles/"):
        assert visitor.get(path + name).status_code == 404


def test_battles_are_listed_by_ply(finished: Match, visitor: Client) -> None:
    assert visitor.get(f"/archive/{finished.pk}/battles/").json() == [5]


def test_a_running_match_has_no_blocks_in_the_archive(who: People, visitor: Client) -> None:
    match = match_helpers.running_match(who, *BATTLE)
    void = match_helpers.running_match(who, *BATTLE)
    moderation.void(void.pk, "the server was ill")
    cancelled = match_helpers.running_match(who)
    endings.abort(cancelled.pk, by_seat(cancelled)[Seat.SOUTH].user)
    for each in (match, void, cancelled):
        for client in (visitor, browser(who.alice), browser(who.charlie)):
            for name in ("plies/0/?eyes=open", "plies/0/?eyes=south", "plies/0/", "battles/"):
                assert client.get(f"/archive/{each.pk}/{name}").status_code == 404


@pytest.mark.parametrize(
    "name", ["plies/1/", "plies/99999999/", "plies/-1/", "plies/x/", "plies/0/?eyes=mine"]
)
def test_a_block_that_does_not_exist_is_not_found(
    finished: Match, visitor: Client, name: str
) -> None:
    assert visitor.get(f"/archive/{finished.pk}/{name}").status_code == 404
    assert visitor.post(f"/archive/{finished.pk}/plies/0/").status_code == 405


def test_before_armies_are_public_a_block_shows_only_what_its_reader_may_see(
    who: People, visitor: Client, late_ending: Match
) -> None:
    """An ending on time can be undone for a while."""
    for client, eyes in ((visitor, "gallery"), (browser(who.alice), "south")):
        path = f"/archive/{late_ending.pk}/plies/0/"
        hidden = fetch(client, path)["looks"]
        assert any("north hidden" in look for look in hidden)
        assert fetch(client, f"{path}?eyes={eyes}")["looks"] == hidden
        assert client.get(f"{path}?eyes=open").status_code == 404
        assert client.get(f"{path}?eyes=north").status_code == 404
        assert "no-store" in client.get(path)["Cache-Control"]


def test_a_block_of_a_finished_match_is_cached_permanently(
    finished: Match, visitor: Client
) -> None:
    path = f"/archive/{finished.pk}/"
    address = path + blocks.addresses(visitor.get(path).content.decode())[0].format(0)
    with override_settings(HASHED_STATIC=True):
        answer = visitor.get(address)
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    again = visitor.get(address, headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    # Without hashed file names, a static file may change under the same name.
    assert visitor.get(address)["Cache-Control"] == "private, no-cache"
    for other in (f"{path}plies/0/", f"{path}plies/0/?v=guessed", f"{path}battles/"):
        assert "no-store" in visitor.get(other)["Cache-Control"]


def test_whatever_changes_a_block_changes_its_url(
    finished: Match, who: People, visitor: Client
) -> None:
    def address(client: Client, query: str = "") -> str:
        html = client.get(f"/archive/{finished.pk}/{query}").content.decode()
        return blocks.addresses(html)[0]

    addresses = {address(visitor, f"?eyes={eyes}") for eyes in EYES}
    addresses.add(address(browser(who.alice), "?eyes=south"))  # "you are South"
    who.charlie.language = "fr"
    who.charlie.save()
    addresses.add(address(browser(who.charlie)))
    who.charlie.zone = "Asia/Tokyo"
    who.charlie.save()
    addresses.add(address(browser(who.charlie)))
    who.bob.username = "Robert"
    who.bob.save()
    addresses.add(address(visitor))
    assert len(addresses) == len(EYES) + 4


@pytest.mark.parametrize(
    ("rounds", "last"), tiers.parameters([(9, 1), (30, 3)], fast=[(9, 1)]), ids=["short", "long"]
)
def test_a_block_costs_constant_queries_and_a_few_bytes_per_ply(
    who: People, visitor: Client, rounds: int, last: int
) -> None:
    def cost(match: Match, block: int) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            answer = visitor.get(f"/archive/{match.pk}/plies/{block}/?eyes=open")
        assert answer.status_code == 200
        return len(queries), len(answer.content)

    short, long = (
        match_helpers.finished_match(who),
        match_helpers.finished_match(who, *TO_AND_FRO * rounds),
    )
    cost(short, 0)
    queries, _bytes = cost(short, 0)
    for block in (0, last):
        more, weight = cost(long, block)
        assert more == queries <= 4
        assert weight < 40_000
