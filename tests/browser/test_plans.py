"""A plan in a browser: written on a phone in the dark, with and without scripts, and played."""

import json
import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests import tiers
from tests.browser.people import FITS, Somebody
from tests.browser.test_other_systems import PREPARE
from tests.play.match_helpers import SETUPS
from tests.stack import Stack

pytestmark = pytest.mark.servers

SOUTH, NORTH = SETUPS["lattaque-10x10"]
BEGIN = f"""
from accounts.models import User
from games.play.commands import matches, moves
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
alice, bob = (User.objects.get(username=name) for name in ("Alice", "Bob"))
match = matches.open_match(Terms("lattaque-en"), dict(zip(Seat, (alice, bob))))
moves.submit_move(match.pk, alice, {SOUTH!r}, None)
moves.submit_move(match.pk, bob, {NORTH!r}, None)
print(match.pk)
"""
BOB_MOVES = """
from accounts.models import User
from games.play.commands import moves
moves.submit_move(MATCH, User.objects.get(username="Bob"), "TEXT", PLY)
"""
WAIT_MS = 20_000  # until an answer is in the record


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=1, beat=1) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, str]:
    cookies_by_user: dict[str, dict[str, str]] = json.loads(service.shell(PREPARE).splitlines()[-1])
    return cookies_by_user["Alice"]


@pytest.fixture
def alice(
    browser: Browser, service: Stack, cookies: dict[str, str], scripts: bool
) -> Iterator[Somebody]:
    somebody = Somebody(browser, service, "Alice", scripts)
    somebody.page.context.add_cookies(
        [{"name": key, "value": value, "url": somebody.base} for key, value in cookies.items()]
    )
    somebody.page.set_viewport_size({"width": 320, "height": 640})
    somebody.page.emulate_media(color_scheme="dark")
    yield somebody
    assert not somebody.complaints
    somebody.page.context.close()


def check(somebody: Somebody, accessible: bool, name: str) -> None:
    """The page fits, can be used by everybody, and is kept as a picture if that is asked for."""
    if somebody.scripts:
        assert somebody.page.evaluate(FITS)
    if accessible:
        somebody.check_access()
    if folder := os.environ.get("PICTURES"):
        somebody.page.screenshot(path=f"{folder}/{name}-{somebody.scripts}.png", full_page=True)


@pytest.mark.parametrize(
    ("scripts", "accessible"),
    tiers.parameters([(False, False), (True, False), (True, True)], fast=[(True, False)]),
    ids=["no scripts", "scripts", "scripts, accessible"],
)
def test_a_plan_is_written_on_a_phone_and_played(
    alice: Somebody, service: Stack, scripts: bool, accessible: bool
) -> None:
    """Whether its pages are accessible takes long to check."""
    page, match = alice.page, service.shell(BEGIN).splitlines()[-1]
    alice.go(f"/match/{match}/")
    page.get_by_role("link", name="Plan", exact=True).click()
    check(alice, accessible, "own-turn")
    page.get_by_label("Move", exact=True).fill("a4-a5")
    page.get_by_label("Lines, one below the other").fill("if then")
    page.get_by_label("At once").check()
    alice.press("Send the move and save the plan")
    assert "Line 1:" in page.get_by_role("alert").inner_text()
    check(alice, accessible, "refused")
    page.get_by_label("Lines, one below the other").fill(
        "if j7-j6 then b4-b5 if j6-j7 then b5-b4\notherwise a5-a4"
    )
    alice.press("Send the move and save the plan")
    assert page.locator("ol.plan li").count() == 2
    check(alice, accessible, "standing")
    moved = BOB_MOVES.replace("MATCH", match).replace("TEXT", "j7-j6").replace("PLY", "3")
    service.shell(moved)
    page.wait_for_timeout(1000)
    for _ in range(20):
        alice.go(f"/match/{match}/")
        if page.get_by_text("Alice moved from b4 to b5.").count():
            break
        page.wait_for_timeout(WAIT_MS / 20)
    assert page.get_by_text("Alice moved from b4 to b5.").count()
    alice.go(f"/match/{match}/plan/")
    page.get_by_label("After a while").check()
    alice.press("Save the plan")
    service.shell(moved.replace("j7-j6", "j6-j7").replace(", 3)", ", 5)"))
    for _ in range(20):
        alice.go(f"/match/{match}/")
        if page.get_by_role("button", name="Play it now").count():
            break
        page.wait_for_timeout(WAIT_MS / 20)
    check(alice, accessible, "waits")
    page.get_by_role("button", name="Play it now").press("Enter")
    page.get_by_text("Alice moved from b5 to b4.").first.wait_for()
