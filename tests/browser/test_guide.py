"""The guide in a browser: no page is too wide, and everything is readable."""

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from games.rules import registry
from tests import tiers
from tests.browser.people import FITS
from tests.stack import Stack

# Units test its forms, and test_every_page.py how its pages look.
pytestmark = [pytest.mark.servers, pytest.mark.soak]

PAGES = ["/help/", *(f"/help/{family}/" for family in registry.games)]


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0) as running:
        yield running


@pytest.mark.parametrize(
    ("width", "scheme"),
    tiers.parameters(((320, "light"), (1280, "dark")), fast=((320, "light"),)),
)
def test_the_guide_is_legible_in_any_colour_scheme(
    browser: Browser, service: Stack, width: int, scheme: Literal["light", "dark"]
) -> None:
    base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
    context = browser.new_context(
        base_url=base, color_scheme=scheme, viewport={"width": width, "height": 800}
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for address in PAGES:
        page.goto(address)
        assert page.evaluate(FITS), address
        violations = Axe().run(page).response["violations"]
        assert not violations, (address, [fault["nodes"][0]["html"] for fault in violations])
    assert complaints == []
