"""Match page in one view: board, whose turn, time left and confirmation, without scrolling."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.people import FITS
from tests.stack import Stack

# CSS pixels: laptops and a desktop with the browser's bars, phones upright and on their side.
SIZES = [
    (1920, 950),
    (1366, 650),
    (1280, 800),
    (1280, 640),
    (1024, 700),
    (740, 360),
    (390, 600),
    (360, 560),
    (320, 560),
]
LEAST_CELL_PX = 24  # a target is at least as wide (WCAG 2.5.8)
# What must be in view, and keep its place with any draft.
PARTS = {
    "board": "table.board",
    "whose turn": ".badge.turn",
    "time left": ".seat.to-act .clock time",
    "confirmation": "#move-form .primary",
    "square": "table.board tbody td[data-square]",
}
# What is cut off or pushed out in the row of a house opponent with a running clock.
CLIPPED = """() => {
    const row = document.querySelector(".seat.to-act"), edge = row.getBoundingClientRect();
    const parts = [".name", "span.badge", "time"].map(name => row.querySelector(name));
    const words = document.createRange();
    return parts.filter(part => {
        const {x, right, width} = part.getBoundingClientRect();
        words.selectNodeContents(part);
        // How wide the words are depends on the fonts; the time has lines that are hidden.
        const wanted = part.tagName === "TIME" ? 20 : words.getBoundingClientRect().width;
        const cut = part.tagName !== "TIME" && part.scrollWidth > part.clientWidth;
        return cut || !wanted || width < wanted || x < edge.x || right > edge.right;
    }).map(part => part.outerHTML);
}"""
BOXES = """parts => Object.fromEntries(Object.entries(parts).map(([name, found]) => {
    const {x, y, right, bottom} = document.querySelector(found).getBoundingClientRect();
    return [name, [x, y, right, bottom].map(side => Math.round(side * 10) / 10)];
}))"""
# A movable piece of each game, and its target.
FIRST = {
    "lattaque-en": ("a4", "a5"),
    "domino": ("a3", "a4"),
    "tactique": ("b3", "b4"),
    "assaut": ("d4", "d5"),
}
PREPARE = """
import json
from django.test import Client
from games.house.playing.new_match import play_the_house
from games.play.commands import endings
from games.rules.core.basics.pieces import Seat
from tests.play import match_helpers
who = match_helpers.people()
def housed(user):
    # The house is to move, and nobody wakes it here.
    match = play_the_house(user, preset="lattaque-en", level="sergeant", seat=Seat.NORTH)
    return match_helpers.send_setup(match, Seat.NORTH).pk
client = Client()
client.force_login(who.alice)
cookies = {name: morsel.value for name, morsel in client.cookies.items()}
matches = {}
for name in NAMES:
    preset = name.split()[0]
    matches[name] = match_helpers.set_up(match_helpers.new_match(who, preset)).pk
matches["house"] = housed(who.alice)
foreign = {}
for language in LANGUAGES:
    handles = ("W" * 26 + language[:2], "M" * 26 + language[:2])
    long = [match_helpers.person(handle, language=language) for handle in handles]
    pair = match_helpers.People(*long, who.charlie)
    client = Client()
    client.force_login(pair.alice)
    opened = [match_helpers.running_match(pair, preset=game).pk for game in GAMES]
    offered = match_helpers.running_match(pair, *match_helpers.FIRST_MOVES)
    endings.offer_draw(offered.pk, pair.bob)
    declined = match_helpers.running_match(pair, *match_helpers.FIRST_MOVES)
    endings.offer_draw(declined.pk, pair.alice)
    endings.decline_draw(declined.pk, pair.bob)
    shown = [*opened, offered.pk, declined.pk]
    session_and_matches = [client.cookies["sessionid"].value, shown, housed(pair.alice)]
    foreign[language] = session_and_matches
print(json.dumps([cookies, matches, foreign]))
"""
# With the longest words: all others are narrower.
LANGUAGES = ("de", "fr", "zh-hant")

pytestmark = pytest.mark.servers

Boxes = dict[str, list[float]]


class Prepared(NamedTuple):
    """A service with two matches of each game in which Alice is on turn, and her cookies."""

    base: str
    cookies: dict[str, str]
    matches: dict[str, int]
    # By language: a session, matches, and one against the house.
    foreign: dict[str, tuple[str, list[int], int]]


@pytest.fixture(scope="module")
def prepared() -> Iterator[Prepared]:
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as running:
        names = [*FIRST, *(f"{game} scripts" for game in FIRST)]
        code = PREPARE.replace("NAMES", repr(names)).replace("GAMES", repr([*FIRST]))
        output = running.shell(code.replace("LANGUAGES", repr(LANGUAGES))).splitlines()[-1]
        cookies, matches, foreign = json.loads(output)
        base = running.url().rstrip("/").replace("127.0.0.1", "localhost")
        yield Prepared(base, cookies, matches, foreign)


def opened(browser: Browser, prepared: Prepared, *, scripts: bool, dark: bool) -> Page:
    context = browser.new_context(
        java_script_enabled=scripts,
        base_url=prepared.base,
        color_scheme="dark" if dark else "light",
    )
    context.add_cookies(
        [
            {"name": name, "value": value, "url": prepared.base}
            for name, value in prepared.cookies.items()
        ]
    )
    return context.new_page()


def boxes_at_all_sizes(page: Page, lowest: int = 0) -> dict[tuple[int, int], Boxes]:
    """The position of each part, at each size; all must be in view, and the page never too wide."""
    boxes_by_size = {}
    for width, height in SIZES:
        if height < lowest:
            continue
        page.set_viewport_size(ViewportSize(width=width, height=height))
        assert page.evaluate("scrollY") == 0, (width, height)
        assert page.evaluate(FITS)
        boxes: Boxes = page.evaluate(BOXES, PARTS)
        for name, (left, top, right, bottom) in boxes.items():
            inside = 0 <= left < right <= width and 0 <= top < bottom <= height
            assert inside, (name, (width, height), boxes[name])
        left, top, right, bottom = boxes["square"]
        assert min(right - left, bottom - top) >= LEAST_CELL_PX, (width, height)
        boxes_by_size[width, height] = boxes
    return boxes_by_size


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [False, True], ids=["no scripts", "scripts"])
@pytest.mark.parametrize("game", FIRST)
def test_all_that_a_move_needs_is_in_view_and_does_not_shift(
    browser: Browser, prepared: Prepared, game: str, scripts: bool
) -> None:
    page = opened(browser, prepared, scripts=scripts, dark=not scripts)
    page.goto(f"/match/{prepared.matches[game + ' scripts' * scripts]}/")
    at_first = boxes_at_all_sizes(page)
    source, target = FIRST[game]
    for square in (source, target):
        if scripts:
            page.locator(f'td[data-square="{square}"]').click()
        else:
            with page.expect_navigation():
                page.locator(f'td[data-square="{square}"] > :is(a, button)').click()
        assert boxes_at_all_sizes(page) == at_first, square
    assert f"Not sent yet: {source}-{target}" in page.locator("#draft").inner_text()
    page.get_by_label("Move", exact=True).fill("a1-a9")
    with page.expect_navigation():
        page.get_by_role("button", name="Send move").click()
    assert page.get_by_role("alert").count() == 1
    # The refusal is at the top; only on the lowest screens it pushes the button out of view.
    boxes_at_all_sizes(page, lowest=600)
    page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_so_it_is_in_every_language_with_long_names_and_offers(
    browser: Browser, prepared: Prepared, language: str
) -> None:
    session, matches, _house = prepared.foreign[language]
    reader = prepared._replace(cookies={"sessionid": session})
    page = opened(browser, reader, scripts=True, dark=False)
    *plain, offered, declined = matches
    for match in plain:
        page.goto(f"/match/{match}/")
        boxes_at_all_sizes(page)
    page.goto(f"/match/{offered}/")
    assert page.locator(".state .flash .button").count() == 2
    boxes_at_all_sizes(page)
    page.goto(f"/match/{declined}/")
    assert page.locator(".state .flash").count() == 1
    boxes_at_all_sizes(page)
    page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_a_name_and_the_badge_of_the_house_are_complete_next_to_a_clock(
    browser: Browser, prepared: Prepared, language: str
) -> None:
    reader, match = prepared, prepared.matches["house"]
    if language != "en":
        session, _matches, match = prepared.foreign[language]
        reader = prepared._replace(cookies={"sessionid": session})
    page = opened(browser, reader, scripts=False, dark=False)
    page.goto(f"/match/{match}/")
    assert page.locator(".seat.to-act .name").inner_text() == "House-Sergeant"
    for width, height in [*SIZES, (1600, 900), (768, 1024)]:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        assert page.evaluate(CLIPPED) == [], (width, height)
        assert page.evaluate(FITS)
    # Where there is room, nothing is shortened.
    row = page.locator(".seat.to-act")
    at, seat = row.locator(".at").bounding_box(), row.locator(".muted").bounding_box()
    edge = row.bounding_box()
    assert at and seat and edge
    assert at["y"] < edge["y"] + edge["height"] / 2
    assert seat["width"] > 10
    page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("way", ["focus", "press"])
def test_a_piece_says_what_it_is_and_a_choice_says_its_state(
    browser: Browser, prepared: Prepared, way: str
) -> None:
    page = opened(browser, prepared, scripts=True, dark=False)
    page.goto(f"/match/{prepared.matches['lattaque-en']}/")
    square, tip = page.locator('td[data-square="f1"]'), page.locator(".tip")
    if way == "focus":
        square.focus()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
    else:
        pressed = {"pointerType": "touch", "isPrimary": True, "bubbles": True, "button": 0}
        square.locator(".piece").dispatch_event("pointerdown", pressed)
    tip.wait_for(state="visible")
    assert re.match(r"South Spy: .*takes M", tip.inner_text())
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.locator('td[data-square="a4"]').click()
    assert page.locator('td[aria-selected="true"]').get_attribute("data-square") == "a4"
    assert page.locator('td[data-square="a5"]').get_attribute("aria-label") == (
        "a5, your piece can go here"
    )
    violations = Axe().run(page).response["violations"]
    assert not violations, [(fault["id"], fault["nodes"][0]["html"]) for fault in violations]
    page.keyboard.press("Escape")
    assert page.locator("td[aria-selected], td[aria-label]").count() == 0
    page.context.close()
