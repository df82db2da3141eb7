"""Ratings in a browser: no page is too wide, everything is readable, and nothing is refused."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser.people import FITS
from tests.stack import Stack

# Units test its forms, and test_every_page.py how its pages look.
pytestmark = [pytest.mark.servers, pytest.mark.soak]

PAGES = [
    "/ratings/",
    "/ratings/lattaque/",
    "/people/profile/anna/",
    "/people/profile/anna/ratings/lattaque/",
    "/match/1/",
]


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    extra = {"SITE_URL": "http://localhost:8000"}
    with Stack(workers=0, beat=0, demo=True, extra=extra) as running:
        yield running


def test_pages_of_ratings_are_legible_on_a_phone_in_the_dark(
    browser: Browser, service: Stack
) -> None:
    base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
    phone = browser.new_context(
        base_url=base, color_scheme="dark", viewport={"width": 320, "height": 700}
    )
    page = phone.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for address in PAGES:
        page.goto(address)
        assert page.evaluate(FITS), address
        violations = Axe().run(page).response["violations"]
        assert not violations, (address, [fault["nodes"][0]["html"] for fault in violations])
    page.goto("/people/profile/anna/ratings/lattaque/")
    assert page.get_by_role("img", name="Rating of anna in L'Attaque").is_visible()
    assert complaints == []
