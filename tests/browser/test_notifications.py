"""Notifications in a browser: the page by keyboard and on a phone, and what a push shows."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Worker

from accounts.models import User
from games.notifications.models import Device
from tests import tiers
from tests.browser.people import FITS, Somebody
from tests.stack import Stack

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack() as running:
        yield running


@pytest.mark.soak
@pytest.mark.parametrize(
    "scripts",
    tiers.parameters((False, True), fast=(True,)),
    ids=["without scripts", "with scripts"],
)
def test_the_page_can_be_used_on_a_phone(browser: Browser, service: Stack, scripts: bool) -> None:
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
        assert bob.page.evaluate(FITS)
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


def test_the_worker_shows_pushed_notifications(browser: Browser, service: Stack) -> None:
    alice = Somebody(browser, service, "Alice", scripts=True)
    alice.sign_in()
    alice.page.context.grant_permissions(["notifications"], origin=alice.base)
    alice.go("/notifications/")
    tools = alice.page.context.new_cdp_session(alice.page)
    workers: list[dict[str, Any]] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: workers.extend(event["registrations"]),
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


# A browser's keys, from the example of RFC 8291.
KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"
    "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
# Dispatches an event in the worker as the browser does, and waits for what the worker does then.
DISPATCH = """async (event) => {
    const waited = [];
    event.waitUntil = (work) => waited.push(work);
    self.dispatchEvent(event);
    await Promise.all(waited);
}"""


def controlled(somebody: Somebody) -> Worker:
    """The service worker, once it controls the page."""
    ready = "navigator.serviceWorker.register('/service-worker.js')"
    somebody.page.evaluate(f"{ready}.then(() => navigator.serviceWorker.ready).then(() => 1)")
    somebody.page.reload()
    somebody.page.wait_for_function("navigator.serviceWorker.controller !== null")
    (worker,) = somebody.page.context.service_workers
    return worker


def test_a_notification_opens_the_newest_state(browser: Browser, service: Stack) -> None:
    """An open page of the match is reloaded, also with an anchor or a query."""
    carol = Somebody(browser, service, "Carol", scripts=True)
    carol.sign_in()
    carol.go("/lobby/?from=here#main")
    worker = controlled(carol)
    carol.page.evaluate("document.body.dataset.old = 'yes'")
    with carol.page.expect_navigation(url=f"{carol.base}/lobby/"):
        worker.evaluate(
            f"""async (link) => {{
                const event = new Event("notificationclick");
                event.notification = {{ close() {{}}, data: {{ link }} }};
                await ({DISPATCH})(event);
            }}""",
            f"{carol.base}/lobby/",
        )
    assert carol.page.evaluate("document.body.dataset.old") is None
    assert len(carol.page.context.pages) == 1


@pytest.mark.soak
@pytest.mark.parametrize("knows_the_old_one", [True, False])
def test_a_subscription_renewed_by_the_browser_is_sent_to_the_service(
    browser: Browser, service: Stack, knows_the_old_one: bool
) -> None:
    """Some browsers do not say which subscription was renewed; the worker remembers it."""
    handle = "Dora" if knows_the_old_one else "Dolly"
    dora = Somebody(browser, service, handle, scripts=True)
    dora.sign_in()
    dora.go("/lobby/")
    old, renewed = (f"https://8.8.8.8/push/{handle}/{number}" for number in (1, 2))
    service.shell(
        "from accounts.models import User; from games.notifications.channels import web_push;"
        f"web_push.add(User.objects.get(username={handle!r}), {old!r}, **{KEYS!r}, name='Mine')"
    )
    worker = controlled(dora)
    worker.evaluate(
        "(endpoint) => remember({ endpoint, options: {} })",
        old,
    )
    worker.evaluate(
        f"""async ([old, endpoint, keys]) => {{
            const event = new Event("pushsubscriptionchange");
            if (old) event.oldSubscription = {{ endpoint: old, options: {{}} }};
            const toJSON = () => ({{ endpoint, keys }});
            event.newSubscription = {{ endpoint, options: {{}}, toJSON }};
            await ({DISPATCH})(event);
        }}""",
        [old if knows_the_old_one else None, renewed, KEYS],
    )
    user = User.objects.filter(username=handle).values("pk")
    devices = Device.objects.filter(user__in=user).values_list("endpoint", "name")
    assert service.ask(devices) == [(renewed, "Mine")]
    assert worker.evaluate("remembered().then((known) => known.endpoint)") == renewed
