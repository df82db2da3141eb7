"""The reference page of the API in a browser: not too wide, readable, and reached by keyboard."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser.people import FITS
from tests.stack import Stack

pytestmark = pytest.mark.servers


@pytest.mark.soak
def test_the_reference_is_legible_on_a_phone_in_the_dark(browser: Browser) -> None:
    with Stack(workers=0, beat=0) as service:
        phone = browser.new_context(
            base_url=service.url(), color_scheme="dark", viewport={"width": 320, "height": 700}
        )
        page = phone.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto("/api/docs/")
        assert page.evaluate(FITS)
        violations = Axe().run(page).response["violations"]
        assert not violations, [fault["nodes"][0]["html"] for fault in violations]
        page.get_by_role("link", name="GET /api/v1/waiting").press("Enter")
        assert page.get_by_role("heading", name="GET /api/v1/waiting").is_visible()
        assert complaints == []
