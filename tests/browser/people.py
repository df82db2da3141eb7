"""A person with their own browser, and what they do in it."""

import re
from email import message_from_bytes, policy
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.servers import wait_for
from tests.stack import Stack

# The maximum layout-shift score of a page while it loads (browsers count 0.1 as good), and the
# moved elements in CSS pixels; shifts after a click or a key do not count. Not zero: on a slow line
# a table changes its column widths as rows arrive.
STEADY = 0.03
SHIFTS = """() => new Promise(tell => {
    const at = box => [box.x, box.y, box.width, box.height].join(" ");
    const moved = ({node, previousRect, currentRect}) =>
        `${node?.nodeName} #${node?.id} ${at(previousRect)} -> ${at(currentRect)}`;
    const sum = shifts => [shifts.reduce((total, shift) => total + shift.value, 0),
        shifts.flatMap(shift => shift.sources.map(moved))];
    new PerformanceObserver(list => tell(sum(
        list.getEntries().filter(shift => !shift.hadRecentInput)
    ))).observe({type: "layout-shift", buffered: true});
    setTimeout(() => tell([0, []]), 100);
})"""

SIGN_IN = """
from django.test import Client
from accounts.models import User
client = Client()
client.force_login(User.objects.create_confirmed("{name}", "{address}"))
print(client.cookies["sessionid"].value)
"""

# Whether a page needs no scrolling sideways; a scroll bar may take a part of the window.
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


class Somebody:
    """A person with their own browser; collects the errors that the browser reports."""

    def __init__(self, browser: Browser, service: Stack, handle: str, scripts: bool) -> None:
        self.handle, self.service, self.scripts = handle, service, scripts
        self.address = f"{handle.lower()}@example.org"
        self.base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
        context = browser.new_context(java_script_enabled=scripts, base_url=self.base)
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self._note(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, complaint: str) -> None:
        # Chromium reports every refused move as a failed load.
        if "422 (Unprocessable" not in complaint:
            self.complaints.append(complaint)

    def go(self, path: str) -> None:
        answer = self.page.goto(path)
        assert answer is not None and answer.ok, path

    def press(self, name: str) -> None:
        with self.page.expect_navigation(wait_until="load"):
            self.page.get_by_role("button", name=name, exact=True).first.click()

    def follow(self, name: str) -> None:
        with self.page.expect_navigation(wait_until="load"):
            self.page.get_by_role("link", name=name, exact=True).first.click()

    def emails(self) -> list[str]:
        """The plain texts of the received e-mails, oldest first."""
        files = sorted(Path(self.service.var, "mail").glob("*.eml"))
        all_emails = [
            message_from_bytes(file.read_bytes(), policy=policy.default) for file in files
        ]
        own_emails = [email for email in all_emails if self.address in email["To"]]
        return [
            f"{email['Subject']}\n{email.get_body(('plain',)).get_content()}"
            for email in own_emails
        ]

    def email(self, words: str) -> str:
        """The first e-mail with these words, once it has arrived."""
        text: str = wait_for(
            lambda: next((email for email in self.emails() if words in email), None),
            f"an e-mail to {self.handle} with “{words}”",
            60,
        )
        return text

    def sign_in(self) -> None:
        """Sign in as a new user, without the pages for that."""
        key = self.service.shell(SIGN_IN.format(name=self.handle, address=self.address))
        self.page.context.add_cookies(
            [{"name": "sessionid", "value": key.splitlines()[-1], "url": self.base}]
        )

    def sign_up(self) -> None:
        self.go("/account/signup/")
        self.fill_in_sign_up()

    def fill_in_sign_up(self) -> None:
        """Fill in the open sign-up form, and the code from the e-mail that it sends."""
        self.page.get_by_label("username").fill(self.handle)
        self.page.get_by_label("e-mail").fill(self.address)
        self.page.locator("input[name=password1]").fill("a lance and a drum")
        self.submit()
        code = re.search(r"^\s*([A-Z0-9]{3,4}-?[A-Z0-9]{3,4})\s*$", self.email("code"), re.M)
        assert code, self.emails()
        self.page.locator("input[name=code]").fill(code.group(1))
        self.submit()

    def submit(self) -> None:
        """Press the first button of the page's form, and wait for the next page."""
        with self.page.expect_navigation():
            self.page.locator("main form").first.locator("button, input[type=submit]").first.click()

    def choose_emails_at_once(self) -> None:
        self.go("/notifications/")
        self.page.get_by_label("Immediately").check()
        self.submit()

    def set_up(self, text: str) -> None:
        self.page.get_by_label("As text").fill(text)
        self.press("Use this text")
        self.press("Check and send")
        self.press("Send set-up")

    def type_move(self, move: str) -> None:
        self.page.reload()
        self.page.get_by_label("Move", exact=True).fill(move)
        self.press("Send move")

    def check_access(self) -> None:
        """Check that the page is accessible, and that its layout did not shift while loading."""
        if self.scripts:
            score, moved = self.page.evaluate(SHIFTS)
            assert score < STEADY, moved
        violations = Axe().run(self.page).response["violations"]
        assert not violations, [(fault["id"], fault["nodes"][0]["html"]) for fault in violations]
