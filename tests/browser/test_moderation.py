"""A report in a browser: on a telephone in the dark, up to the answer of the blocked player."""

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.people import FITS, Somebody
from tests.stack import Stack

# Units test its forms, and test_every_page.py how its pages look.
pytestmark = [pytest.mark.servers, pytest.mark.soak]

DECIDE = """
from accounts.models import User
from games.people.models import Outcome, Report
from games.people.moderation import deciding
staff = User.objects.create_superuser("Berthier", "berthier@example.org")
deciding.decide(Report.objects.get().pk, staff, Outcome.BLOCKED, "You threatened people.")
"""


def check_on_a_phone(somebody: Somebody) -> None:
    assert somebody.page.evaluate(FITS)
    somebody.check_access()


def test_a_report_leads_to_a_decision_and_an_answer(browser: Browser) -> None:
    with Stack() as service:
        alice, bob = (Somebody(browser, service, name, scripts=True) for name in ("Alice", "Bob"))
        for somebody in (alice, bob):
            somebody.sign_up()
            somebody.page.set_viewport_size({"width": 320, "height": 640})
            somebody.page.emulate_media(color_scheme="dark")
        bob.go("/people/profile/Alice/")
        bob.follow("Report this player")
        check_on_a_phone(bob)
        bob.page.get_by_label("What is wrong?").select_option("threat")
        bob.page.get_by_label("What should the moderators know?").fill("She knows where I live.")
        bob.press("Send report")
        assert "a profile: a moderator will look at it" in bob.page.inner_text("main")
        check_on_a_phone(bob)
        service.shell(DECIDE)
        bob.email("action taken")
        link = re.search(r"/people/decision/\S+/", alice.email("blocked your account"))
        assert link is not None
        alice.go(link[0])
        check_on_a_phone(alice)
        assert alice.page.get_by_text("You threatened people.").is_visible()
        alice.page.get_by_label("Your answer").fill("It was a quotation.")
        alice.press("Send answer")
        assert alice.page.get_by_text("You have answered.").is_visible()
        check_on_a_phone(alice)
        assert alice.complaints == [] and bob.complaints == []
