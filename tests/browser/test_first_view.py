"""First view of a page, without scrolling: news, result and rematch, ways out, replay, set-up."""

import json
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests import tiers
from tests.browser.people import FITS
from tests.stack import Stack

# CSS pixels: a laptop, a desktop, tablets both ways, phones.
SIZES = [
    (1366, 650),
    (1920, 1080),
    (1024, 768),
    (820, 1180),
    (768, 1024),
    (412, 915),
    (390, 844),
    (360, 640),
    (320, 568),
]
Sizes = list[tuple[int, int]]
FEW_SIZES = [(1366, 650), (768, 1024), (320, 568)]
WIDTHS = [320, 360, 412, 560, 740, 820, 1024, 1366]
FEW_WIDTHS = [320, 560, 820, 1366]
BOARD = "table.board"
NEWS = '.news[aria-labelledby="happened"]'
NEWS_HEAD = "#happened"
WAYS_OUT = ['a[href$="/offer-draw/"]', 'a[href$="/offer-pause/"]', 'a[href$="/resign/"]']
REMATCH = 'form[action*="rematch"] button'
RESULT = ".state .flash:is(.won, .lost)"
REPLAY = [f'.replay [class~="button"]:nth-of-type({place})' for place in (1, 2, 3, 4)]
PREPARE = """
import json
from django.test import Client
from games.play.commands import endings
from games.rules.core.basics.pieces import Seat
from tests.play import match_helpers
BATTLE = ("a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")
who = match_helpers.people()
def banked(*moves):
    match = match_helpers.set_up(match_helpers.new_match(who, pace="3d"))
    return match_helpers.play(match, *moves)
offered = banked(*BATTLE[:4])
endings.offer_draw(offered.pk, who.bob)
matches = {
    "turn": banked(*BATTLE[:4]),
    "battle": banked(*BATTLE, "j5-j6"),
    "wait": banked(*BATTLE),
    "offered": offered,
    "won": match_helpers.finished_match(who, *BATTLE[:4]),
    "lost": match_helpers.finished_match(who, *BATTLE[:4], loser=Seat.SOUTH),
    "flag": match_helpers.decided_match(who),
    "set-up": match_helpers.new_match(who),
}
def session(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
sessions = {"en": session(who.alice)}
for language in ("de", "fr", "zh-hant"):
    other = match_helpers.person("Alice-" + language, language=language)
    pair = match_helpers.People(other, who.bob, who.charlie)
    match = match_helpers.set_up(match_helpers.new_match(pair))
    matches["turn " + language] = match_helpers.play(match, *BATTLE, "j5-j6")
    matches["won " + language] = match_helpers.finished_match(pair, *BATTLE[:4])
    sessions[language] = session(other)
print(json.dumps([sessions, {name: match.pk for name, match in matches.items()}]))
"""

pytestmark = pytest.mark.servers


class Prepared(NamedTuple):
    """A service with matches by name, and the session of their reader by language."""

    base: str
    sessions: dict[str, str]
    matches: dict[str, int]


@pytest.fixture(scope="module")
def prepared() -> Iterator[Prepared]:
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as running:
        sessions, matches = json.loads(running.shell(PREPARE).splitlines()[-1])
        base = running.url().rstrip("/").replace("127.0.0.1", "localhost")
        yield Prepared(base, sessions, matches)


def opened(
    browser: Browser, prepared: Prepared, *, scripts: bool = True, language: str = "en"
) -> Page:
    """A page of somebody signed in; without scripts it is dark."""
    context = browser.new_context(
        java_script_enabled=scripts,
        base_url=prepared.base,
        color_scheme="light" if scripts else "dark",
        reduced_motion="reduce",
    )
    session = prepared.sessions[language]
    context.add_cookies([{"name": "sessionid", "value": session, "url": prepared.base}])
    return context.new_page()


def check_in_view(page: Page, *parts: str) -> None:
    """Every part is wholly inside the window, which is not scrolled sideways."""
    size = page.viewport_size
    assert size
    assert page.evaluate(FITS), size
    for part in parts:
        box = page.locator(part).first.bounding_box()
        assert box, (part, size)
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        inside = box["x"] >= 0 and right <= size["width"] and box["y"] >= 0
        assert inside and bottom <= size["height"], (part, size, box)


def check_at_sizes(page: Page, sizes: Sizes, *parts: str) -> None:
    for width, height in sizes:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        assert page.evaluate("scrollY") == 0
        check_in_view(page, BOARD, *parts)


BOTH_WAYS = pytest.mark.parametrize(
    "scripts", tiers.parameters((False, True), fast=(True,)), ids=["no scripts", "scripts"]
)
AT_SIZES = pytest.mark.parametrize(
    ("scripts", "sizes"),
    tiers.parameters([(False, SIZES), (True, SIZES), (True, FEW_SIZES)], fast=[(True, FEW_SIZES)]),
    ids=["no scripts", "scripts", "scripts at few sizes"],
)


@AT_SIZES
@pytest.mark.parametrize(
    "name", tiers.parameters(("turn", "battle", "wait", "offered"), fast=("battle",))
)
def test_the_last_move_and_the_links_out_are_in_the_first_view(
    browser: Browser, prepared: Prepared, name: str, scripts: bool, sizes: Sizes
) -> None:
    page = opened(browser, prepared, scripts=scripts)
    page.goto(f"/match/{prepared.matches[name]}/")
    mover = "Alice attacked a7" if name == "wait" else "Bob moved from"
    assert mover in page.locator(NEWS).inner_text()
    ways = WAYS_OUT[1:] if name == "offered" else WAYS_OUT
    send = ["#move-form .primary"] if name != "wait" else []
    check_at_sizes(page, sizes, NEWS, NEWS_HEAD, *ways, *send)
    page.context.close()


@AT_SIZES
@pytest.mark.parametrize("name", tiers.parameters(("won", "lost", "flag"), fast=("flag",)))
def test_the_result_and_a_rematch_are_in_the_first_view(
    browser: Browser, prepared: Prepared, name: str, scripts: bool, sizes: Sizes
) -> None:
    page = opened(browser, prepared, scripts=scripts)
    page.goto(f"/match/{prepared.matches[name]}/")
    check_at_sizes(page, sizes, RESULT, REMATCH, NEWS, NEWS_HEAD)
    page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("language", ["de", "fr", "zh-hant"])
def test_the_first_view_fits_in_every_language(
    browser: Browser, prepared: Prepared, language: str
) -> None:
    page = opened(browser, prepared, language=language)
    page.goto(f"/match/{prepared.matches[f'turn {language}']}/")
    check_at_sizes(page, SIZES, NEWS, *WAYS_OUT, "#move-form .primary")
    page.goto(f"/match/{prepared.matches[f'won {language}']}/")
    check_at_sizes(page, SIZES, RESULT, REMATCH, NEWS)
    page.context.close()


@pytest.mark.soak
@AT_SIZES
def test_a_replay_fits_the_window_with_its_buttons(
    browser: Browser, prepared: Prepared, scripts: bool, sizes: Sizes
) -> None:
    page = opened(browser, prepared, scripts=scripts)
    page.goto(f"/archive/{prepared.matches['flag']}/?ply=1")
    player = ["#player button", "#player input"] if scripts else []
    check_at_sizes(page, sizes, NEWS, *REPLAY, *player)
    page.context.close()


@pytest.mark.soak
def test_stepping_through_a_replay_moves_neither_board_nor_buttons(
    browser: Browser, prepared: Prepared
) -> None:
    page = opened(browser, prepared)
    for width, height in ((1366, 650), (360, 640)):
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.goto(f"/archive/{prepared.matches['won']}/?ply=0&eyes=open")
        at_first = [page.locator(part).bounding_box() for part in (BOARD, REPLAY[2])]
        for _step in range(5):
            page.keyboard.press("ArrowRight")
            page.locator("html").evaluate("() => new Promise(requestAnimationFrame)")
        page.wait_for_url("**ply=5**")
        assert [page.locator(part).bounding_box() for part in (BOARD, REPLAY[2])] == at_first
    page.context.close()


@pytest.mark.soak
@AT_SIZES
def test_two_taps_mark_a_piece_of_the_opponent_and_the_board_stays(
    browser: Browser, prepared: Prepared, scripts: bool, sizes: Sizes
) -> None:
    page = opened(browser, prepared, scripts=scripts)
    for width, height in sizes:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.goto(f"/match/{prepared.matches['battle']}/")
        page.locator('td[data-square="b7"] a.piece').click()
        page.wait_for_url("**?piece=b7#piece")
        assert page.evaluate("scrollY") == 0
        check_in_view(page, BOARD, "#piece", "#move-form .primary")
        # The colour that a mark has already would remove it.
        colour = "red" if page.locator("#piece .blue[aria-pressed]").count() else "blue"
        with page.expect_navigation():
            page.locator(f"#piece .{colour}").click()
        assert page.evaluate("scrollY") == 0
        check_in_view(page, BOARD, f'td[data-square="b7"] .mark.{colour}')
        assert page.locator(f"#piece .{colour}[aria-pressed]").count() == 1
    page.context.close()


@pytest.mark.soak
@BOTH_WAYS
@pytest.mark.parametrize(
    ("width", "height"),
    tiers.parameters(
        ((1366, 650), (768, 1024), (360, 640), (320, 568)), fast=((1366, 650), (320, 568))
    ),
)
def test_a_set_up_is_placed_checked_and_confirmed_without_scrolling(
    browser: Browser, prepared: Prepared, width: int, height: int, scripts: bool
) -> None:
    page = opened(browser, prepared, scripts=scripts)
    page.set_viewport_size(ViewportSize(width=width, height=height))
    page.goto(f"/match/{prepared.matches['set-up']}/")

    def press(name: str) -> None:
        with page.expect_navigation():
            page.get_by_role("button", name=name, exact=True).click()

    press("Clear")
    press("Check and send")
    check_in_view(page, ".flash.error", BOARD, "#check")
    press("Place for me")
    check_in_view(page, "#check", "#setup-status", BOARD)
    assert page.locator("#check:focus").count() == 1
    press("Check and send")
    check_in_view(page, 'td[data-square="a1"]', 'td[data-square="j4"]', 'button[value="send"]')
    page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("language", "widths"),
    tiers.parameters(
        [*((language, WIDTHS) for language in ("en", "de", "fr", "zh-hant")), ("en", FEW_WIDTHS)],
        fast=[("en", FEW_WIDTHS)],
    ),
    ids=["en", "de", "fr", "zh-hant", "en at few widths"],
)
def test_every_link_of_the_masthead_is_reachable_and_its_height_is_constant(
    browser: Browser, prepared: Prepared, language: str, widths: list[int]
) -> None:
    page = opened(browser, prepared, language=language)
    heights, places = set(), set()
    for path in (f"/match/{prepared.matches['won']}/", "/lobby/", "/"):
        page.goto(path)
        for width in widths:
            page.set_viewport_size(ViewportSize(width=width, height=700))
            assert page.evaluate(FITS)
            box = page.locator(".masthead").bounding_box()
            assert box
            heights.add(box["height"])
            page.locator(".account summary").click()
            for address in ("/", "/lobby/", "/archive/", "/set-ups/", "/help/"):
                links = page.locator(f'.masthead a[href="{address}"]:not(.brand)').all()
                shown = [bounding_box for link in links if (bounding_box := link.bounding_box())]
                assert shown, (address, width)
                assert all(one["x"] >= 0 and one["x"] + one["width"] <= width for one in shown)
            page.locator(".account summary").click()
        places.add(tuple(page.locator(".site-nav a").evaluate_all("a => a.map(x => x.offsetLeft)")))
    assert len(heights) == len(places) == 1
    page.context.close()
