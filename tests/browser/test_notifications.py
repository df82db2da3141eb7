"""Notifications in a browser: the page by keyboard and on a phone, and what a push shows."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests import tiers
from tests.browser.people import Somebody
from tests.stack import Stack

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack() as running:
        yield running


@pytest.mark.parametrize(
    "scripts",
    tiers.parameters((False, True), fast=(True,)),
    ids=["without scripts", "with scripts"],
)
def test_the_page_can_be_used_on_a_telephone(
    browser: Browser, service: Stack, scripts: bool
) -> None:
    bob = Somebody(browser, service, f"Bob{'by' if scripts else ''}", scripts)
    bob.sign_up()
    bob.page.set_viewport_size({"width": 320, "height": 640})
    bob.go("/notifications/")
    assert bob.page.get_by_label("Once until I come back").is_checked()
    bob.page.get_by_label("Your turn: E-mail").focus()
    bob.page.keyboard.press("Space")
    bob.press("Save")
    assert not bob.page.get_by_label("Your turn: E-mail").is_checked()
    if scripts:  # Without scripts, the page can evaluate nothing.
        assert bob.page.evaluate("document.documentElement.scrollWidth") == 320
    bob.press("Turn on feeds")
    # A channel that works without a session needs its owner's password.
    bob.page.locator("input[name=password]").fill("a lance and a drum")
    bob.press("Confirm")
    assert "/waiting.atom" in bob.page.get_by_label("Atom feed").input_value()
    if scripts:
        bob.check_access()
    bob.press("Send me a test e-mail")
    bob.email("this test e-mail")
    assert bob.complaints == []


def test_the_worker_shows_what_is_pushed(browser: Browser, service: Stack) -> None:
    alice = Somebody(browser, service, "Alice", scripts=True)
    alice.sign_up()
    alice.page.context.grant_permissions(["notifications"], origin=alice.base)
    alice.go("/notifications/")
    tools = alice.page.context.new_cdp_session(alice.page)
    workers: list[dict[str, Any]] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: workers.extend(told["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    ready = "navigator.serviceWorker.register('/service-worker.js')"
    ready += ".then(() => navigator.serviceWorker.ready)"
    alice.page.evaluate(f"{ready}.then(() => 1)")
    alice.page.wait_for_function("navigator.serviceWorker.controller || true")
    pushed = {
        "title": "Your turn against Bob in match 7",
        "body": "Move by Friday.",
        "link": f"{alice.base}/match/7/",
        "tag": "match-7",
        "waiting": 2,
    }
    tools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": alice.base, "registrationId": workers[0]["registrationId"],
         "data": json.dumps(pushed)},
    )  # fmt: skip
    shown = f"""{ready}.then((one) => one.getNotifications())
        .then((all) => all.map((one) =>
            [one.title, one.body, one.tag, one.renotify, one.data.link]))"""
    # Seen once is enough: a desktop that shows no notifications may remove it.
    seen = alice.page.wait_for_function(f"{shown}.then((all) => all.length ? all : null)")
    assert seen.json_value() == [
        [pushed["title"], pushed["body"], pushed["tag"], True, pushed["link"]]
    ]
