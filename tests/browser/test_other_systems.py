"""Domino Stratego, Tactique and Assaut in two browsers, from the set-up to the end of the match.

Each is played once without scripts, by links and buttons, and once with scripts, by clicks on
squares.
"""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from games.rules import registry
from games.rules.core.basics.pieces import BySeat, Seat
from tests import tiers
from tests.browser.games import whole_game
from tests.browser.people import Somebody
from tests.play.match_helpers import SETUPS
from tests.stack import Stack

BOTH_WAYS = pytest.mark.parametrize(
    "scripts", tiers.parameters((False, True), fast=(True,)), ids=["no scripts", "scripts"]
)

# Two signed-in users, and a match of theirs before both set-ups.
PREPARE = """
import json
from django.test import Client
from tests.play import match_helpers
who = match_helpers.people()
cookies = {}
for user in who[:2]:
    client = Client()
    client.force_login(user)
    cookies[user.username] = {name: morsel.value for name, morsel in client.cookies.items()}
print(json.dumps(cookies))
"""
OPEN = """
from accounts.models import User
from tests.play import match_helpers
who = [User.objects.get(username=name) for name in ("Alice", "Bob")]
print(match_helpers.new_match(match_helpers.People(*who, None), "{preset}").pk)
"""

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, dict[str, str]]:
    cookies_by_user: dict[str, dict[str, str]] = json.loads(service.shell(PREPARE).splitlines()[-1])
    return cookies_by_user


class Opponent(Somebody):
    """A player of one match, who enters moves as the browser allows."""

    def sit_down(self, match: str, cookies: dict[str, str]) -> None:
        self.page.context.add_cookies(
            [{"name": name, "value": value, "url": self.base} for name, value in cookies.items()]
        )
        self.match = f"/match/{match}/"

    def look(self) -> None:
        self.go(self.match)

    def square(self, name: str) -> str:
        return f'td[data-square="{name}"]'

    def play(self, move: str) -> None:
        """Choose the move square by square, check that it is not sent yet, and send it."""
        self.look()
        for square in re.findall(r"[a-z]\d+", move):
            if self.scripts:
                self.page.locator(self.square(square)).click()
            else:
                door = self.page.locator(f"{self.square(square)} > :is(a, button)")
                with self.page.expect_navigation():
                    door.click()
        field = self.page.get_by_label("Move", exact=True)
        assert field.input_value() == move
        assert f"Not sent yet: {move}" in self.page.locator("#draft").inner_text()
        self.press("Send move")
        assert "Move sent." in self.page.content()

    def send_set_up(self) -> None:
        self.press("Check and send")
        if self.scripts:
            self.check_access()
        self.press("Send set-up")


@pytest.fixture
def table(
    browser: Browser, service: Stack, cookies: dict[str, dict[str, str]], scripts: bool
) -> Iterator["Table"]:
    with ExitStack() as closing:
        yield Table(browser, service, cookies, scripts, closing)


class Table:
    """Opens matches of Alice and Bob, each with their own browser."""

    def __init__(
        self,
        browser: Browser,
        service: Stack,
        cookies: dict[str, dict[str, str]],
        scripts: bool,
        closing: ExitStack,
    ) -> None:
        self.service, self.cookies = service, cookies
        self.people = BySeat(
            *(Opponent(browser, service, name, scripts) for name in ("Alice", "Bob"))
        )
        for person in self.people:
            closing.callback(person.page.context.close)

    def open(self, preset: str) -> BySeat[Opponent]:
        match = self.service.shell(OPEN.format(preset=preset)).split()[-1]
        for person in self.people:
            person.sit_down(match, self.cookies[person.handle])
            person.look()
        return self.people

    def play(self, moves: list[str], ending: str) -> None:
        """Play a whole game; both then read how it ended."""
        for number, move in enumerate(moves):
            self.people[number % 2].play(move)
        for person in self.people:
            person.look()
            assert ending in person.page.content()
            if person.scripts:
                person.check_access()
            assert not person.complaints


@pytest.mark.soak
@BOTH_WAYS
def test_domino_can_be_played_from_the_deal_to_the_last_six(table: Table, scripts: bool) -> None:
    people = table.open("domino")
    for seat, person in zip(Seat, people, strict=True):
        army = a_long_file(person, seat)
        if scripts:
            place_by_clicks(person, army)
        else:
            person.press("Place with lists instead")
            for square, tile in army.items():
                person.page.locator(f"select[name={square}]").select_option(tile)
        person.send_set_up()
    # A tile with a six attacks along the file at whose other end the 6-6 is.
    march = ["h3-h4", "a8-a7", "h4-h5", "a7-a6", "h5-h6", "a6-a5", "h6-h7", "a5-a4"]
    table.play([*march, "a3xa4", "b8-b7", "h7xh8"], "won: 6-6 destroyed.")


@pytest.mark.soak
@BOTH_WAYS
def test_tactique_can_be_played_with_moves_attacks_and_charges(table: Table, scripts: bool) -> None:
    setups = SETUPS["tactique-8x8"]
    for person, text in zip(table.open("tactique"), setups, strict=True):
        person.set_up(text)

    def of_every_kind(moves: list[str]) -> bool:
        charges = [move for move in moves if "x" in move and "-" in move]
        attacks = [move for move in moves if "x" in move and "-" not in move]
        return bool(charges and attacks) and len(moves) > 6

    table.play(
        whole_game(registry.ruleset("tactique"), setups, of_every_kind), "won: flag captured."
    )


@pytest.mark.soak
@BOTH_WAYS
def test_assaut_can_be_played_with_chains_and_huffs(table: Table, scripts: bool) -> None:
    _alice, bob = table.open("assaut")
    if scripts:
        bob.page.locator("#hand li button").click()
        bob.page.locator(bob.square("c7")).click()
        bob.page.locator(bob.square("e7")).click()
        assert "All pieces are placed." in bob.page.locator("#setup-status").inner_text()
    else:
        squares = (f"{bob.square(square)} > button" for square in ("c7", "e7"))
        for tapped in ("#hand li button", *squares):
            with bob.page.expect_navigation():
                bob.page.locator(tapped).click()
    bob.send_set_up()

    def with_both(moves: list[str]) -> bool:
        return any(move.count("x") > 1 for move in moves) and any("," in move for move in moves)

    moves = whole_game(registry.ruleset("assaut"), SETUPS["assaut-7x7"], with_both)
    assert moves[-1].startswith("*")
    table.play(moves, "won: all officers huffed.")


def a_long_file(person: Opponent, seat: Seat) -> dict[str, str]:
    """All dealt tiles; the front corner of file h has the deciding one."""
    tiles = [item.get_attribute("data-rank") for item in person.page.locator("#hand li").all()]
    assert len(tiles) == 24
    front = 3 if seat is Seat.SOUTH else 8
    squares = [f"{file}{row}" for row in sorted(range(1, 4)) for file in "abcdefgh"]
    if seat is Seat.NORTH:
        squares = [f"{square[0]}{int(square[1]) + 7}" for square in squares]
    sixes = [tile for tile in tiles if tile and tile[1] == "6" and tile[0] not in "06"]
    chosen = sixes[0] if seat is Seat.SOUTH else "66"
    plain = [tile for tile in tiles if tile not in (chosen, "66", "00")]
    others = [tile for tile in tiles if tile in ("66", "00") and tile != chosen]
    corner, behind = f"h{front}", f"a{1 if seat is Seat.SOUTH else 10}"
    army = {corner: chosen[::-1], behind: others[0]}
    left = [square for square in squares if square not in army]
    return army | dict(zip(left, [*others[1:], *plain], strict=True))


def place_by_clicks(person: Opponent, army: dict[str, str]) -> None:
    """Place pieces by clicks on the hand and the square; a click turns a tile."""
    for square, tile in army.items():
        lying = min(tile, tile[::-1])
        person.page.locator(f'#hand li[data-rank="{lying}"] button').click()
        person.page.locator(person.square(square)).click()
        if tile != lying:
            person.page.locator(person.square(square)).click()
            person.page.locator(person.square(square)).click()
        assert person.page.locator(f"input[name={square}]").input_value() == tile
    assert "All pieces are placed." in person.page.locator("#setup-status").inner_text()
