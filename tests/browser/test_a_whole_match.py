"""Two people, two browsers, one match: from sign-up to the archive, with JavaScript and without."""

import re
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from tests.play.tables import RECKLESS, SETUPS
from tests.servers import wait_for
from tests.stack import Stack

SOUTH = SETUPS["lattaque-10x10"][0]
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield running
        running.close()


@pytest.fixture
def service(stack: Callable[..., Stack]) -> Stack:
    return stack(extra={"DEMO": "true"})


class Somebody:
    """A person with a browser of their own; whatever the browser complains of is kept."""

    def __init__(self, browser: Browser, service: Stack, handle: str, scripts: bool) -> None:
        self.handle, self.service = handle, service
        self.address = f"{handle.lower()}@example.org"
        self.base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
        context = browser.new_context(java_script_enabled=scripts, base_url=self.base)
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self._note(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, complaint: str) -> None:
        # Chromium reports every refused move as a failed load.
        if "422 (Unprocessable" not in complaint:
            self.complaints.append(complaint)

    def go(self, path: str) -> None:
        answer = self.page.goto(path)
        assert answer is not None and answer.ok, path

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def follow(self, name: str) -> None:
        with self.page.expect_navigation(wait_until="load"):
            self.page.get_by_role("link", name=name, exact=True).first.click()

    def letters(self) -> list[str]:
        """The plain texts of the letters that have come, oldest first."""
        files = sorted(Path(self.service.var, "mail").glob("*.eml"))
        found = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
        mine = [letter for letter in found if self.address in letter["To"]]
        return [
            f"{letter['Subject']}\n{letter.get_body(('plain',)).get_content()}" for letter in mine
        ]

    def letter(self, words: str) -> str:
        """The first letter with these words in it, once it has come."""
        return wait_for(
            lambda: next((letter for letter in self.letters() if words in letter), None),
            f"a letter to {self.handle} with “{words}”",
            60,
        )

    def sign_up(self) -> None:
        self.go("/account/signup/")
        self.page.get_by_label("handle").fill(self.handle)
        self.page.get_by_label("e-mail").fill(self.address)
        self.page.locator("input[name=password1]").fill("a lance and a drum")
        self.submit()
        code = re.search(r"^\s*([A-Z0-9]{3,4}-?[A-Z0-9]{3,4})\s*$", self.letter("code"), re.M)
        assert code, self.letters()
        self.page.locator("input[name=code]").fill(code.group(1))
        self.submit()

    def submit(self) -> None:
        """Press the first button of the page's form, and wait for the next page."""
        with self.page.expect_navigation():
            self.page.locator("main form").first.locator("button, input[type=submit]").first.click()

    def set_up(self, text: str) -> None:
        self.page.get_by_label("As text").fill(text)
        self.press("Place from this text")
        self.press("Check and send")
        self.press("Send the set-up")

    def type_move(self, move: str) -> None:
        self.page.reload()
        self.page.get_by_label("Move", exact=True).fill(move)
        self.press("Send the move")

    def check_access(self) -> None:
        found = Axe().run(self.page).response["violations"]
        assert not found, [(fault["id"], fault["nodes"][0]["html"]) for fault in found]


@pytest.mark.parametrize("scripts", [False, True], ids=["without scripts", "with scripts"])
def test_a_whole_match_from_sign_up_to_the_archive(
    browser: Browser, service: Stack, scripts: bool
) -> None:
    alice = Somebody(browser, service, "Alice", scripts)
    bob = Somebody(browser, service, "Bob", scripts)
    for person in (alice, bob):
        person.sign_up()

    alice.go("/lobby/new/")
    alice.page.get_by_label("South", exact=False).first.check()
    alice.submit()
    bob.go("/lobby/")
    bob.page.get_by_role("link", name="Alice").first.click()
    bob.submit()
    assert "Set up your army" in bob.page.content()
    bob.set_up(RECKLESS)
    assert "Alice is still setting up" in bob.page.content()

    alice.letter("match")
    alice.go("/next/")
    alice.set_up(SOUTH)
    assert "Your turn" in alice.page.content()
    if scripts:
        alice.check_access()

    if scripts:
        alice.page.locator('[data-square="b4"] .piece').click()
        alice.page.locator('[data-square="b5"]').click()
        assert alice.page.get_by_label("Move", exact=True).input_value() == "b4-b5"
        alice.press("Send the move")
    else:
        alice.page.locator('[data-square="b4"] a').click()
        alice.page.locator('[data-square="b5"] button').click()
        assert "b4-b5 is not sent yet" in alice.page.locator("#draft").inner_text()
        alice.page.reload()
        alice.press("Send the move")
    assert "It is Bob's turn." in alice.page.content()

    assert "Alice moved from b4 to b5." in bob.letter("Alice moved")
    bob.go("/next/")
    bob.type_move("i7-i6")
    assert bob.page.get_by_role("alert").count() == 1
    bob.type_move("j7-j6")
    alice.type_move("a4xa7")
    assert "Alice won: flag captured." in alice.page.content()

    assert "Alice won" in bob.letter("flag captured")
    bob.go("/")
    assert "Ended since you looked" in bob.page.content()
    bob.go("/archive/1/?ply=0")
    bob.follow("Next")
    assert "ply=1" in bob.page.url
    if scripts:
        bob.page.keyboard.press("End")
        bob.page.wait_for_url("**ply=3**")
        bob.check_access()
    assert not alice.complaints and not bob.complaints
