"""Every page of the demo that links lead to: accessible, and no wider than a narrow screen.

One page stands for all with the same URL name; so a new page is tested once something links to it.
"""

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, Page, ViewportSize

from tests import tiers
from tests.browser.people import FITS
from tests.stack import Stack

pytestmark = pytest.mark.servers

FILL = """
import json
from django.test import Client
from accounts.models import User
from config.management.commands.demo import Command
Command().fill()
client = Client()
client.force_login(User.objects.get(username="anna"))
print(json.dumps({name: morsel.value for name, morsel in client.cookies.items()}))
"""
NARROW: ViewportSize = {"width": 320, "height": 800}
FAULTS = {"resultTypes": ["violations"]}  # What is right is not listed.
HREFS = "links => links.map(link => link.href)"
# Pages of Django's admin and of allauth are not ours to lay out; the others are files.
NOT_OURS = ("/admin/", "/account/", "/mail/", "/emails/")
FILES = (
    ".svg",
    ".csv",
    ".png",
    ".gif",
    ".atom",
    ".ics",
    ".json",
    ".py",
    ".txt",
    "/text/",
    "/record/",
    "/proof/bundle/",
    "/proof/receipt/",
    "/proofs/keys/",
)


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, str]:
    found: dict[str, str] = json.loads(service.shell(FILL).splitlines()[-1])
    return found


def name_of(path: str) -> str:
    """The URL name of a path; "" for one that is not to be visited."""
    if path.startswith(NOT_OURS) or path.endswith(FILES):
        return ""
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    return match.view_name or match.route


def crawl(page: Page, base: str) -> Iterator[str]:
    """Load a page for each URL name that links lead to, beginning with the front page."""
    waiting, seen = ["/"], {name_of("/")}
    while waiting:
        path = waiting.pop(0)
        answer = page.goto(base + path)
        assert answer is not None
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        assert answer.status == 200, (path, answer.status)
        yield path
        for href in page.eval_on_selector_all("a[href]", HREFS):
            parts = urlsplit(href)
            name = name_of(parts.path) if href.startswith(base) else ""
            if name and name not in seen:
                seen.add(name)
                waiting.append(f"{parts.path}?{parts.query}" if parts.query else parts.path)


@pytest.mark.parametrize(
    ("is_player", "every"),
    tiers.parameters(((True, 3), (True, 1), (False, 1)), fast=((True, 3),)),
    ids=["player at some pages", "player", "visitor"],
)
def test_every_page_fits_and_is_accessible(
    browser: Browser, service: Stack, cookies: dict[str, str], is_player: bool, every: int
) -> None:
    """Contrasts are looked at on each page of that number: they take longest."""
    base = service.url().rstrip("/")
    context = browser.new_context(viewport=NARROW, color_scheme="dark")
    if is_player:
        context.add_cookies(
            [{"name": key, "value": value, "url": base} for key, value in cookies.items()]
        )
    page, visited = context.new_page(), []
    faults: list[tuple[str, ...]] = []
    page.on("pageerror", lambda error: faults.append((page.url, str(error))))
    for path in crawl(page, base):
        visited.append(path)
        if not page.evaluate(FITS):
            faults.append((path, "wider than 320 px"))
        options = {"rules": {"color-contrast": {"enabled": len(visited) % every == 0}}}
        found = Axe().run(page, options={**FAULTS, **options}).response["violations"]
        faults += [(path, fault["id"], fault["nodes"][0]["html"][:200]) for fault in found]
    context.close()
    assert not faults
    assert len(visited) > (40 if is_player else 20), visited
