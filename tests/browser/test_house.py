"""A newcomer plays the house: from the front page to its answer, its thoughts and a rematch."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import FITS, Somebody
from tests.servers import wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

FRONTS = ", ".join(f'[data-square="{file}4"]:has(a.piece)' for file in "abefij")
LOOK_AGAIN_MS = 500  # after the last look, which takes the processor as long as an answer
SOON_MS = 6_000  # the goal is two seconds, on an idle machine


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(house=1, extra={"DEMO": "true"}) as running:
        yield running


def advance(ann: Somebody) -> None:
    """Move a piece of the front row that has no lake in front of it one square forward."""
    square = ann.page.locator(FRONTS).first.get_attribute("data-square")
    assert square
    for each in (square, f"{square[0]}5"):
        cell = f'[data-square="{each}"]'
        ann.page.locator(cell if ann.scripts else f"{cell} :is(a, button)").first.click()
        ann.page.wait_for_load_state()
    if not ann.scripts:
        ann.press("Send move")
        return
    # On a busy machine the page has looked for the answer before the next statement runs.
    with ann.page.expect_request("**/news/**", timeout=SOON_MS):
        ann.press("Send move")


def hear_the_answer(ann: Somebody) -> None:
    """Check that the house has moved: the page shows it by itself, or is reloaded."""
    page = ann.page
    if ann.scripts:
        page.locator(".badge.turn").wait_for(timeout=60_000)  # it appears by itself
    else:
        wait_for(lambda: has_looked_again(ann), "The house should have moved.", 60)
    expect(page.locator(".badge.turn")).to_be_visible()
    expect(page.get_by_role("heading", name="Last move")).to_be_visible()
    assert "House-Recruit" in page.locator('[data-part="happened"]').inner_text()


def has_looked_again(ann: Somebody) -> bool:
    if ann.page.locator(".badge.turn").count():
        return True
    ann.page.wait_for_timeout(LOOK_AGAIN_MS)
    ann.follow("Refresh")
    return False


def fits(page: Page) -> bool:
    return bool(page.evaluate(FITS))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("scripts", "width", "height"),
    [(False, 320, 560), (True, 1280, 800)],
    ids=["on a phone without scripts", "at a desk with scripts"],
)
def test_a_newcomer_plays_the_house(
    browser: Browser, service: Stack, scripts: bool, width: int, height: int
) -> None:
    ann = Somebody(browser, service, f"Newcomer{scripts:d}", scripts)
    page = ann.page
    page.set_viewport_size({"width": width, "height": height})
    ann.go("/")
    assert fits(page)
    ann.follow("Join and play the computer")
    ann.fill_in_sign_up()
    expect(page.get_by_role("heading", name="Play the computer", level=1)).to_be_visible()
    assert fits(page)
    page.locator('input[name="seat"][value="0"]').check()
    ann.press("Play now")
    assert "House-Recruit is ready." in page.content()
    ann.press("Place for me")
    ann.press("Check and send")
    ann.press("Send set-up")
    for _ in range(2):
        advance(ann)
        row = page.locator(".seat.north")
        expect(row.get_by_text("House-Recruit", exact=True)).to_be_visible()
        expect(row.get_by_text("Computer", exact=True)).to_be_visible()
        assert fits(page)
        hear_the_answer(ann)
    if scripts:
        ann.check_access()

    ann.follow("Offer a draw")
    ann.press("Offer a draw")
    wait_for(
        lambda: shows_thoughts(ann, "House-Recruit declined the draw."), "It should decline.", 60
    )
    ann.follow("Resign")
    ann.press("Resign against House-Recruit")
    ann.follow("What did the computer think?")
    expect(page.get_by_role("heading", name="Its move")).to_be_visible()
    expect(
        page.get_by_role("heading", name="What it thought the enemy pieces were")
    ).to_be_visible()
    assert fits(page)
    page.go_back()
    ann.press("Rematch, sides swapped")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Set up your army against House-Recruit"
    )
    assert not ann.complaints
    page.context.close()


def shows_thoughts(ann: Somebody, words: str) -> bool:
    if words in ann.page.content():
        return True
    ann.page.wait_for_timeout(LOOK_AGAIN_MS)
    ann.page.reload()
    return False
