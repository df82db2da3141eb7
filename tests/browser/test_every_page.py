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

from games.play.models.look import Look
from tests import tiers
from tests.browser.people import FITS
from tests.stack import Stack

pytestmark = pytest.mark.servers

SIGN_IN = """
import json
from django.test import Client
from accounts.models import User
client = Client()
client.force_login(User.objects.get(username="anna"))
print(json.dumps({name: morsel.value for name, morsel in client.cookies.items()}))
"""
LOOK = """
import json
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.test import Client
from accounts.models import User
from accounts.sign_in.second_factors import note_enrolment
from games.play.models.match import Match

def cookies(name):
    user = User.objects.create_superuser(name, name.lower() + "@example.org")
    factor = Authenticator.objects.create(user=user, type="totp", data={"secret": "sealed"})
    client = Client()
    client.force_login(user)
    request = HttpRequest()
    request.user, request.session = user, client.session
    note_enrolment(request, factor)
    request.session.save()
    return {key: morsel.value for key, morsel in client.cookies.items()}

running = Match.objects.filter(status="running").order_by("pk")
match = next(match for match in running if match.preset == "lattaque-en")
print(json.dumps([match.pk, cookies("Ney"), cookies("Soult")]))
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
    with Stack(workers=0, beat=0, demo=True) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, str]:
    cookie_by_name: dict[str, str] = json.loads(service.shell(SIGN_IN).splitlines()[-1])
    return cookie_by_name


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


def page_of(
    browser: Browser, base: str, cookies: dict[str, str], width: int = 320, scheme: str = "dark"
) -> Page:
    """A page of a new browser with these cookies."""
    size: ViewportSize = {**NARROW, "width": width}
    context = browser.new_context(viewport=size, color_scheme=scheme, base_url=base)  # type: ignore[arg-type]
    context.add_cookies(
        [{"name": key, "value": each, "url": base} for key, each in cookies.items()]
    )
    return context.new_page()


def width_faults(page: Page, path: str) -> list[tuple[str, ...]]:
    return [] if page.evaluate(FITS) else [(path, "too wide")]


def faults_of(page: Page, path: str) -> list[tuple[str, ...]]:
    """What is wrong with the page that is loaded: too wide, or not accessible."""
    violations = Axe().run(page, options=FAULTS).response["violations"]
    faults = width_faults(page, path)
    faults += [(path, fault["id"], fault["nodes"][0]["html"][:200]) for fault in violations]
    return faults


@pytest.mark.parametrize(
    ("is_player", "every"),
    tiers.parameters(((True, 3), (True, 1), (False, 1)), fast=((True, 3),)),
    ids=["player at some pages", "player", "visitor"],
)
def test_every_page_fits_and_is_accessible(
    browser: Browser, service: Stack, cookies: dict[str, str], is_player: bool, every: int
) -> None:
    """Whether it is accessible is checked on each page of that number: it takes longest."""
    base = service.url().rstrip("/")
    page, visited = page_of(browser, base, cookies if is_player else {}), []
    faults: list[tuple[str, ...]] = []
    page.on("pageerror", lambda error: faults.append((page.url, str(error))))
    for path in crawl(page, base):
        visited.append(path)
        check = width_faults if len(visited) % every else faults_of
        faults += check(page, path)
    page.context.close()
    assert not faults
    assert len(visited) > (40 if is_player else 20), visited


@pytest.mark.soak
def test_the_pages_of_a_look_fit_and_are_accessible(
    browser: Browser, service: Stack, cookies: dict[str, str]
) -> None:
    """Staff ask, agree and see the position, at the smallest and at a usual width."""
    number, ney, soult = json.loads(service.shell(LOOK).splitlines()[-1])
    base, faults = service.url().rstrip("/"), []
    match_page = f"/admin/play/match/{number}/change/"

    def act(steward: dict[str, str], row: str, action: str) -> None:
        """Choose an action on the page of a row, look at its form, and send it once."""
        for width, scheme in ((320, "dark"), (1280, "light")):
            page = page_of(browser, base, steward, width, scheme)
            page.goto(row)
            page.locator(f"button[name=action][value={action}]").click()
            reason = page.get_by_label("Reason")
            reason.wait_for()
            faults.extend(faults_of(page, f"{action} {width}"))
            if width != NARROW["width"]:
                reason.fill("A report says that pieces changed.")
                page.locator("input[name=apply]").click()
                page.locator(".messagelist").wait_for()
            page.context.close()

    def visit(steward: dict[str, str], path: str, words: str) -> None:
        for width, scheme in ((320, "dark"), (1280, "light")):
            page = page_of(browser, base, steward, width, scheme)
            page.goto(path)
            faults.extend(faults_of(page, f"{path} {width}"))
            assert words in page.inner_text("main")
            page.context.close()

    act(ney, match_page, "ask_to_look")
    ((look,),) = service.ask(Look.objects.values_list("pk"))
    row = f"/admin/play/look/{look}/"
    visit(soult, f"{row}change/", "A report says that pieces changed.")
    act(soult, f"{row}change/", "agree")
    visit(soult, f"{row}position/", "Only who asked for it can see the position.")
    visit(ney, f"{row}change/", "Soult")
    visit(ney, f"{row}position/", "South has capital letters")
    assert not faults
