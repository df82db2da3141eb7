"""Replay without page loads: stepping through a long match, and looking back at a running one."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

from tests.browser.people import FITS
from tests.stack import Stack

PLIES = 1_000
TO_AND_FRO = ("a4-a5", "j7-j6", "a5-a4", "j6-j7")
KEYS_A_SECOND = 20
PREPARE = f"""
import json
from django.test import Client
from tests.play import match_helpers

who = match_helpers.people()
long = match_helpers.set_up(match_helpers.new_match(who, switches={{"limit": 1000}}))
for ply, move in enumerate({TO_AND_FRO!r} * {PLIES // 4}):
    match_helpers.moves.submit_move(long.pk, who[ply % 2], move, ply + 2)
running = match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7", "j5-j6")
client = Client()
client.force_login(who.alice)
cookies = {{name: morsel.value for name, morsel in client.cookies.items()}}
print(json.dumps([cookies, long.pk, running.pk]))
"""
# The words of every position shown, and the number of loaded pages.
WATCH = """() => {
    const at = document.querySelector(".replay .at");
    window.seen = [at.textContent];
    new MutationObserver(() => seen.push(at.textContent)).observe(at, {childList: true});
}"""
# Key events as of a held key, by the page's clock: the driver's own clock would be slower.
HOLD = """([key, times, gap]) => new Promise(done => {
    let sent = 0;
    const timer = setInterval(() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        if (++sent === times) { clearInterval(timer); done(); }
    }, gap);
})"""

pytestmark = pytest.mark.servers


class Prepared(NamedTuple):
    """A service with a match drawn after 1,000 plies and a running one, and Alice's cookies."""

    base: str
    cookies: dict[str, str]
    long: int
    running: int


@pytest.fixture(scope="module")
def prepared() -> Iterator[Prepared]:
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as service:
        cookies, long, running = json.loads(service.shell(PREPARE).splitlines()[-1])
        base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
        yield Prepared(base, cookies, long, running)


@pytest.fixture
def page(browser: Browser, prepared: Prepared) -> Iterator[Page]:
    context = browser.new_context(base_url=prepared.base, reduced_motion="reduce")
    context.add_cookies(
        [{"name": n, "value": v, "url": prepared.base} for n, v in prepared.cookies.items()]
    )
    opened = context.new_page()
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        # A block that fails to load leads to a page; Chromium also reports the failure.
        if "/plies/" not in message.location["url"]:
            complaints.append(message.text)

    opened.on("console", note)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


def at(page: Page, words: str) -> None:
    """Wait until the position with these words is shown."""
    page.locator(".replay .at", has_text=re.compile(f"^{re.escape(words)}$")).wait_for()


def squares(page: Page) -> str:
    return str(page.locator("table.board tbody").inner_html())


@pytest.mark.soak
def test_a_thousand_plies_are_stepped_at_twenty_keys_a_second_without_loss(
    page: Page, prepared: Prepared
) -> None:
    page.goto(f"/archive/{prepared.long}/?ply=0&eyes=open")
    page.evaluate(WATCH)
    page.evaluate("window.same = true")
    page.evaluate(HOLD, ["ArrowRight", PLIES, 1000 / KEYS_A_SECOND])
    at(page, "move 500 of 500")
    expected = ["move 0 of 500"]
    for move in range(1, 501):
        expected += [f"move {move} (South) of 500", f"move {move} of 500"]
    seen = page.evaluate("seen")
    assert [words for words in expected if words not in seen] == []
    assert page.evaluate("window.same"), "A page was loaded."
    page.wait_for_url(f"**/?ply={PLIES}*")
    assert page.locator("[role=slider], input[type=range]").get_attribute("aria-valuetext") == (
        "move 500 of 500"
    )
    shown = squares(page)
    page.reload()
    assert squares(page) == shown


@pytest.mark.soak
def test_ends_slider_links_and_address_lead_to_any_ply(page: Page, prepared: Prepared) -> None:
    page.goto(f"/archive/{prepared.long}/?ply=500&eyes=south")
    page.evaluate("window.same = true")
    page.keyboard.press("Home")
    at(page, "move 0 of 500")
    page.keyboard.press("End")
    at(page, "move 500 of 500")
    page.get_by_role("slider").fill("333")
    at(page, "move 167 (South) of 500")
    page.get_by_role("link", name="Next", exact=True).click()
    at(page, "move 167 of 500")
    assert page.get_by_label("Go to move").input_value() == "167"
    page.locator(".moves a", has_text="j7-j6").first.click()
    page.get_by_role("link", name="Previous").click()
    page.get_by_role("link", name="Previous").click()
    page.keyboard.press("ArrowRight")
    at(page, "move 163 (South) of 500")
    assert page.evaluate("window.same")
    words = page.locator(".replay .at").inner_text()
    page.wait_for_timeout(500)
    ply = re.search(r"ply=(\d+)", page.url)
    assert ply and "eyes=south" in page.url
    assert page.locator('.moves [aria-current="step"]').count() == 1
    followed = page.get_by_role("link", name="Everything").get_attribute("href") or ""
    assert f"ply={ply[1]}&" in followed and "eyes=open" in followed
    shown = squares(page)
    page.reload()
    assert (page.locator(".replay .at").inner_text(), squares(page)) == (words, shown)


@pytest.mark.soak
def test_it_plays_by_itself_until_it_is_paused(page: Page, prepared: Prepared) -> None:
    page.goto(f"/archive/{prepared.long}/?ply=0&eyes=open")
    page.get_by_label("Speed").select_option("fast")
    page.get_by_role("button", name="Play").click()
    # It continues while the test looks: any move after the first shows that it plays.
    page.locator(".replay .at", has_text=re.compile("^move ([2-9]|[1-9][0-9]+) ")).wait_for()
    page.get_by_role("button", name="Pause").click()
    words = page.locator(".replay .at").inner_text()
    page.wait_for_timeout(1_000)
    assert page.locator(".replay .at").inner_text() == words
    assert page.locator("#player [role=status]").inner_text().startswith(f"{words}. ")
    page.get_by_role("slider").fill("998")
    page.get_by_role("button", name="Play").click()
    at(page, "move 500 of 500")
    page.get_by_role("button", name="Play").wait_for()
    violations = Axe().run(page).response["violations"]
    assert not violations, [(fault["id"], fault["nodes"][0]["html"]) for fault in violations]


@pytest.mark.soak
def test_a_lost_connection_leads_to_the_page_of_that_ply(page: Page, prepared: Prepared) -> None:
    page.goto(f"/archive/{prepared.long}/?ply=0&eyes=open")
    page.route("**/plies/**", lambda route: route.fulfill(status=404))
    with page.expect_navigation(url="**/?ply=1*"):
        page.keyboard.press("ArrowRight")
    at(page, "move 1 (South) of 500")


@pytest.mark.soak
def test_a_player_looks_back_and_finds_the_move_that_was_begun(
    page: Page, prepared: Prepared
) -> None:
    page.goto(f"/match/{prepared.running}/")
    page.locator('td[data-square="b4"]').click()
    begun = squares(page)
    page.evaluate("window.same = true")
    page.locator("h1").click()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    at(page, "move 2 of 3")
    assert "hidden" in page.locator('td[data-square="a7"]').inner_html()
    assert page.locator("td.chosen, td.target, td a, td button").count() == 0
    assert page.get_by_role("button", name="Send move").count() == 0
    assert page.locator(".badge.turn").is_hidden()
    page.wait_for_url("**/?ply=4")
    page.keyboard.press("ArrowRight")
    assert page.locator("td.battle").get_attribute("data-square") == "a7"
    assert page.locator(".battle-panel").is_visible()
    assert page.locator("#player svg path").get_attribute("d") == "M5 0v1"
    page.get_by_role("link", name="Back to the current position").click()
    at(page, "move 3 of 3")
    assert squares(page) == begun
    assert page.get_by_role("button", name="Send move").is_visible()
    page.wait_for_url(f"**/match/{prepared.running}/")
    page.locator('td[data-square="b5"]').click()
    assert "Not sent yet: b4-b5" in page.locator("#draft").inner_text()
    assert page.evaluate("window.same")


@pytest.mark.soak
def test_a_page_of_the_past_loads_the_present(page: Page, prepared: Prepared) -> None:
    page.goto(f"/match/{prepared.running}/?ply=4")
    page.keyboard.press("ArrowRight")
    at(page, "move 3 (South) of 3")
    page.keyboard.press("End")
    page.get_by_role("button", name="Send move").wait_for()
    assert "ply" not in page.url


@pytest.mark.soak
@pytest.mark.parametrize("size", [(1280, 640), (740, 360), (390, 600), (320, 560)], ids=str)
def test_looking_back_keeps_the_board_and_its_controls_in_view(
    page: Page, prepared: Prepared, size: tuple[int, int]
) -> None:
    width, height = size
    page.set_viewport_size(ViewportSize(width=width, height=height))
    page.goto(f"/match/{prepared.running}/")
    page.keyboard.press("ArrowLeft")
    at(page, "move 3 (South) of 3")
    assert page.evaluate(FITS)
    board = page.locator("table.board").bounding_box()
    assert board and board["y"] >= 0 and board["x"] >= 0
    bottom = board["y"] + board["height"]
    bar = page.locator(".look-back").bounding_box()
    assert bar
    if width < 640:
        assert bottom <= bar["y"] and bar["y"] + bar["height"] <= height
    else:
        assert bottom <= height
