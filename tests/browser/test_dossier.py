"""The panel about a piece, opened from the board: by a tap, by keyboard, and during a move."""

import json
import os
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests import tiers
from tests.browser.people import FITS
from tests.stack import Stack

PREPARE = """
import json
from django.test import Client
from tests.play import match_helpers
from games.play.knowledge import marks
from games.play.models.match import Player
who = match_helpers.people()
client = Client()
client.force_login(who.alice)
match = match_helpers.running_match(who, "a4xa7", "j7-j6")
demoted = match_helpers.running_match(who, preset="tactique")
marks.put(Player.objects.get(match=match, seat=0).pk, "c7", marks.Mark("J", "left", "yellow"))
cookies = {name: morsel.value for name, morsel in client.cookies.items()}
print(json.dumps([cookies, match.pk, demoted.pk]))
"""

pytestmark = pytest.mark.servers

# The address of a match, Alice's cookies, and the address of a match with a demoted piece on d6.
Table = tuple[str, dict[str, str], str]


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    """Two matches in which Alice is on turn."""
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as running:
        cookies, match, demoted = json.loads(running.shell(PREPARE).splitlines()[-1])
        base = running.url().rstrip("/").replace("127.0.0.1", "localhost")
        yield f"{base}/match/{match}/", cookies, f"{base}/match/{demoted}/"


def seated(browser: Browser, table: Table, *, scripts: bool = True, **looks: object) -> Page:
    address, cookies, _ = table
    context = browser.new_context(java_script_enabled=scripts, **looks)  # type: ignore[arg-type]
    for name, value in cookies.items():
        context.add_cookies([{"name": name, "value": value, "domain": "localhost", "path": "/"}])
    page = context.new_page()
    page.goto(address)
    return page


@pytest.mark.soak
@pytest.mark.parametrize(
    "scripts", tiers.parameters((True, False), fast=(True,)), ids=["scripts", "no scripts"]
)
def test_a_tap_on_a_piece_of_the_opponent_shows_what_is_known_of_it(
    browser: Browser, table: Table, scripts: bool
) -> None:
    page = seated(browser, table, scripts=scripts)
    page.locator('td[data-square="j6"] a').click()
    page.wait_for_url("**?piece=j6#piece")
    assert "Moved from j7 to j6" in page.locator("#dossier").inner_text()
    page.locator("#word").fill("runner")
    page.get_by_role("button", name="Mark this piece").click()
    page.wait_for_load_state()
    assert page.locator('td[data-square="j6"] i.mark').inner_text() == "runner"
    page.get_by_role("button", name="Remove the mark").click()
    page.wait_for_load_state()
    assert page.locator('td[data-square="j6"] i.mark').count() == 0


@pytest.mark.soak
def test_moves_are_chosen_as_before_and_the_keyboard_opens_a_dossier(
    browser: Browser, table: Table
) -> None:
    page = seated(browser, table)
    page.locator('td[data-square="b4"]').click()
    assert "chosen" in (page.locator('td[data-square="b4"]').get_attribute("class") or "")
    # While a move is begun, tapping a piece out of reach cancels it.
    page.locator('td[data-square="e7"]').click()
    assert "piece=" not in page.url
    page.locator('td[data-square="e7"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**?piece=e7#piece")


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_the_panel_breaks_neither_accessibility_nor_layout(
    browser: Browser, table: Table, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 720}
    page = seated(browser, table, viewport=size, color_scheme=scheme)
    for name, piece in (("dossier", f"{table[0]}?piece=c7"), ("demoted", f"{table[2]}?piece=d6")):
        page.goto(piece)
        page.locator("#dossier details").first.evaluate("one => one.open = true")
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=True)
        assert page.evaluate(FITS)
        report = Axe().run(page)
        assert not report.response["violations"], report.generate_report()
