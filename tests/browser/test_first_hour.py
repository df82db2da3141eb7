"""The first hour: a newcomer learns, finds an opponent and moves, quickly and with few actions."""

import time
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from games.guide.lesson_view import address
from games.guide.lessons import registry as lessons
from tests.browser.people import FITS, Somebody
from tests.floors import at_least
from tests.guide.test_lessons import WAYS
from tests.play.match_helpers import SETUPS
from tests.stack import Stack

MOST_SECONDS = 180
MOST_ACTIONS = 25
pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(extra={"DEMO": "true"}) as running:
        yield running


class Newcomer(Somebody):
    """A newcomer whose clicks and filled fields are counted."""

    actions = 0

    def click(self, selector: str) -> None:
        self.actions += 1
        self.page.locator(selector).first.click()
        self.page.wait_for_load_state()

    def press(self, name: str) -> None:
        self.actions += 1
        super().press(name)

    def follow(self, name: str) -> None:
        self.actions += 1
        super().follow(name)

    def sign_up(self) -> None:
        self.actions += 6  # name, address, password, code, and two buttons
        super().sign_up()

    def move(self, *squares: str) -> None:
        for square in squares:
            cell = f'[data-square="{square}"]'
            self.click(cell if self.scripts else f"{cell} :is(a, button)")
        self.press("Send move")


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_newcomer_moves_within_three_minutes(
    browser: Browser, service: Stack, scripts: bool
) -> None:
    host = Somebody(browser, service, f"Host{scripts:d}", scripts)
    host.sign_up()
    host.go("/lobby/new/")
    host.page.get_by_label("Your side").select_option("1")
    host.submit()

    ann = Newcomer(browser, service, f"Newcomer{scripts:d}", scripts)
    began = time.monotonic()
    ann.sign_up()
    expect(ann.page.get_by_role("heading", name="Your first steps")).to_be_visible()
    if scripts:
        ann.check_access()
    ann.follow("L'Attaque")
    ann.move("e4", "e5")
    ann.move("e5", "e6")
    assert "Well done." in ann.page.content()
    ann.click(".site-nav a")
    ann.follow("Open seats in the lobby")
    ann.click(f'tr:has-text("{host.handle}") a.button')
    ann.actions += 1
    ann.submit()
    ann.press("Place for me")
    ann.press("Check and send")
    ann.press("Send set-up")
    paused = time.monotonic()  # The host's own time does not count.
    host.go("/next/")
    host.set_up(SETUPS["lattaque-10x10"][1])
    began += time.monotonic() - paused
    ann.actions += 1
    ann.page.reload()
    assert "Choose one of your pieces" in ann.page.content()
    # Any piece of the front row that has no lake in front of it, and may move.
    fronts = (f'[data-square="{file}4"]:has(a.piece)' for file in "abefij")
    front = ann.page.locator(", ".join(fronts))
    square = front.first.get_attribute("data-square")
    assert square
    ann.move(square, f"{square[0]}5")
    assert "It's Host" in ann.page.content()
    assert "You don't have to wait here" in ann.page.content()
    taken = time.monotonic() - began
    if scripts:  # The host's page stays open all the time.
        live_line = host.page.locator("#live p")
        expect(live_line).to_contain_text("Newcomer1 has moved.", timeout=60_000)
        assert host.page.title().startswith("(1) ")
        with host.page.expect_navigation():
            live_line.get_by_role("link").click()
        assert "Your turn" in host.page.content()
        ann.check_access()
    assert ann.actions < MOST_ACTIONS
    assert taken < MOST_SECONDS
    assert not ann.complaints and not host.complaints


@pytest.mark.soak
@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_every_lesson_can_be_played_by_clicks_and_is_accessible(
    browser: Browser, service: Stack, width: int, scheme: Literal["light", "dark"]
) -> None:
    base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
    context = browser.new_context(
        base_url=base, color_scheme=scheme, viewport={"width": width, "height": 720}
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for lesson in at_least(4, lessons.all_lessons()):
        page.goto(address(lesson))
        assert page.evaluate(FITS), lesson.key
        violations = Axe().run(page).response["violations"]
        assert not violations, (lesson.key, [fault["nodes"][0]["html"] for fault in violations])
        for move in WAYS[lesson.key]:
            for square in move.replace("x", "-").split("-"):
                page.locator(f'[data-square="{square}"]').click()
            assert page.get_by_label("Move", exact=True).input_value() == move
            with page.expect_navigation():
                page.get_by_role("button", name="Send move").click()
        assert page.get_by_text("Well done.").is_visible(), lesson.key
        assert page.evaluate(FITS), lesson.key
    violations = Axe().run(page).response["violations"]
    assert not violations, [fault["nodes"][0]["html"] for fault in violations]
    assert complaints == []


@pytest.mark.soak
def test_without_a_connection_a_page_says_so(browser: Browser, stack: Callable[..., Stack]) -> None:
    service = stack(extra={"DEMO": "true"})
    ann = Somebody(browser, service, "Ann", scripts=True)
    ann.sign_up()
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.page.wait_for_function("caches.open('offline').then(shelf => shelf.match('/offline/'))")
    service.kill("web1")
    ann.page.goto("/lobby/")
    expect(ann.page.get_by_role("heading", name="No connection")).to_be_visible()
    assert ann.page.evaluate("document.styleSheets.length") == 2
    service.start("web1")
    service.wait_until_up("web1")
    ann.follow("Try again")
    expect(ann.page.get_by_role("heading", name="Lobby")).to_be_visible()
