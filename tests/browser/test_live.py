"""The live line of a match page: how often static/js/live.js asks whether the match has changed."""

from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.servers

SCRIPT = Path(settings.BASE_DIR, "static/js/live.js").read_text()
PAGE = """<!doctype html><div id="live" data-address="/news/" data-version="1"{soon}>
<p hidden><span class="sentence"></span><a href="/">Show</a><button>Dismiss</button></p></div>
<script type="module" src="/live.js"></script>"""
FIFTH_MS = 200


def opened(browser: Browser, soon: str) -> Page:
    """A page with the line, on which nothing is ever new, and whose clock the test moves on."""
    bodies = {"/": ("text/html", PAGE.format(soon=soon)), "/live.js": ("text/javascript", SCRIPT)}

    def answer(route: Route) -> None:
        path = "/" + route.request.url.split("/", 3)[3]
        kind, body = bodies.get(path, ("text/plain", ""))
        route.fulfill(status=200 if body else 204, content_type=kind, body=body)

    page = browser.new_context().new_page()
    page.route("**/*", answer)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto("http://site.test/")
    return page


def test_the_computers_answer_is_asked_for_five_times_a_second_at_first(browser: Browser) -> None:
    page = opened(browser, " data-soon")
    for _ in range(10):
        with page.expect_response("**/news/"):
            page.clock.run_for(FIFTH_MS)
        page.wait_for_timeout(20)  # the script plans its next question once it has read the answer
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.clock.run_for(FIFTH_MS)
    assert not requests
    with page.expect_response("**/news/"):
        page.clock.run_for(FIFTH_MS)
    page.context.close()


def test_a_persons_answer_is_asked_for_rarely(browser: Browser) -> None:
    page = opened(browser, "")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.clock.run_for(9_000)
    assert not requests
    with page.expect_response("**/news/"):
        page.clock.run_for(1_000)
    page.context.close()
