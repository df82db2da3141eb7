"""Watching in a browser: pages fit a phone in the dark, following, and the live board moves."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import FITS
from tests.stack import Stack

pytestmark = pytest.mark.servers

# The script prints Clara's cookies, a match of others, and one that is over.
PREPARE = """
import json
from django.test import Client
from accounts.models import User
from games.play.models.match import Match
client = Client()
client.force_login(User.objects.get(username="clara"))
cookies = {name: morsel.value for name, morsel in client.cookies.items()}
others = Match.objects.filter(status="running").exclude(players__user__username="clara")
match = others.latest("pk").pk
over = Match.objects.filter(status="finished", preset="lattaque-en").latest("ply").pk
print(json.dumps([cookies, match, over]))
"""
MOVE = """
from games.watch import live_board
from games.play.commands import moves
from games.play.models.match import Match
from games.play.record import match_view
from games.rules.core.text.notation import write_move
match = Match.objects.get(pk=live_board.newest().number)
mover = match.players.get(to_act=True).user
view = match_view.view_match(match.pk, mover)
moves.submit_move(match.pk, mover, write_move(match.rules, view.observation.moves[0]), view.number)
print(match.ply + 1 - match.opening)
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    extra = {"SITE_URL": "http://localhost:8000"}
    with Stack(workers=0, beat=0, demo=True, extra=extra) as running:
        yield running


@pytest.fixture(scope="module")
def clara(service: Stack) -> tuple[dict[str, str], int, int]:
    """Clara's cookies, a match that she does not play, and one that is over."""
    cookies, match, over = json.loads(service.shell(PREPARE).splitlines()[-1])
    return cookies, match, over


def opened(
    browser: Browser, service: Stack, cookies: dict[str, str] | None = None, *, scripts: bool = True
) -> Page:
    base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
    phone = browser.new_context(
        base_url=base,
        color_scheme="dark",
        viewport={"width": 320, "height": 700},
        java_script_enabled=scripts,
    )
    for name, value in (cookies or {}).items():
        phone.add_cookies([{"name": name, "value": value, "domain": "localhost", "path": "/"}])
    return phone.new_page()


def check(page: Page, address: str) -> None:
    page.goto(address)
    assert page.evaluate(FITS), address
    violations = Axe().run(page).response["violations"]
    assert not violations, (
        address,
        [(fault["id"], fault["nodes"][0]["html"]) for fault in violations],
    )


@pytest.mark.soak
def test_pages_are_legible_on_a_phone_in_the_dark(
    browser: Browser, service: Stack, clara: tuple[dict[str, str], int, int]
) -> None:
    cookies, match, over = clara
    complaints: list[str] = []
    for signed_in in (cookies, None):
        page = opened(browser, service, signed_in)
        page.on("console", lambda message: complaints.append(message.text))
        for address in (
            *("/", "/watch/", "/watch/?with=all&order=longest", f"/match/{match}/"),
            *(f"/archive/{over}/summary/", f"/archive/{over}/?ply=9&piece=a1&who=north#dossier"),
        ):
            check(page, address)
    assert not complaints


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_match_is_followed_and_unfollowed_by_buttons(
    browser: Browser, service: Stack, clara: tuple[dict[str, str], int, int], scripts: bool
) -> None:
    cookies, match, _over = clara
    page = opened(browser, service, cookies, scripts=scripts)
    page.goto(f"/match/{match}/")
    page.get_by_role("button", name="Follow this match").press("Enter")
    expect(page.get_by_text("You follow this match.")).to_be_visible()
    page.goto("/watch/")
    expect(page.get_by_role("table", name="Matches that you follow")).to_be_visible()
    page.get_by_role("button", name=f"Stop following: Match {match}").press("Enter")
    expect(page.get_by_text(f"You no longer follow match {match}.")).to_be_visible()
    expect(page.get_by_role("table", name="Matches that you follow")).to_have_count(0)


def test_the_live_board_changes_with_the_match(browser: Browser, service: Stack) -> None:
    page = opened(browser, service)
    page.goto("/")
    board = page.locator("#live-board img")
    before = board.get_attribute("src")
    assert before is not None
    with page.expect_response("**/watch/live/"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ply = service.shell(MOVE).splitlines()[-1]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(board).to_have_attribute("src", f"{before.rpartition('/')[0]}/{ply}.svg")
    assert board.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


def test_without_scripts_the_live_board_is_a_picture(browser: Browser, service: Stack) -> None:
    page = opened(browser, service, scripts=False)
    page.goto("/")
    page.locator("#live-board a").click()
    expect(page.locator("#board")).to_be_visible()
