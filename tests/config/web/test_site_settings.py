"""Settings of the site: sign-up is closed, and a notice is on every page, both from the admin."""

from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from config.models import SiteSettings
from config.web import site_settings
from games.outbox.delivery import dispatcher
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

LIST = reverse("admin:config_sitesettings_changelist")
ADD = reverse("admin:config_sitesettings_add")
CHANGE = reverse("admin:config_sitesettings_change", args=[SiteSettings.ONLY])
SIGN_UP = "/account/signup/"
NEWCOMER = {"username": "Murat", "email": "murat@example.org", "password1": "troop of foxes"}


@pytest.fixture
def staff(admin_client: Client, settings: Any) -> Client:
    settings.STAFF_NEEDS_MFA = False
    site_settings.forget()
    return admin_client


def save(staff: Client, **fields: str) -> None:
    """Fill in the one form of the settings."""
    page = CHANGE if SiteSettings.objects.exists() else ADD
    answer = staff.post(page, fields)
    assert answer.status_code == 302, answer.context["errors"]
    site_settings.forget()  # as in each process after some seconds


def notices(page: str) -> int:
    return page.count("site-notice")


@pytest.mark.postgresql
def test_staff_close_sign_up_and_open_it_again(staff: Client) -> None:
    save(staff, sign_up_closed="on")
    visitor = Client()
    for answer in (visitor.get(SIGN_UP), visitor.post(SIGN_UP, NEWCOMER)):
        assert "Sign-up is closed" in answer.content.decode()
    assert not User.objects.filter(username="Murat").exists()
    for address in ("/", "/lobby/"):
        assert SIGN_UP not in visitor.get(address).content.decode()
    assert visitor.get("/account/login/").status_code == 200
    save(staff)
    assert visitor.post(SIGN_UP, NEWCOMER).status_code == 302
    assert User.objects.filter(username="Murat").exists()
    assert SIGN_UP in visitor.get("/lobby/").content.decode().split("</header>")[0]


def test_an_email_offers_no_sign_up_while_it_is_closed(staff: Client) -> None:
    save(staff, sign_up_closed="on")
    Client().post("/account/login/code/", {"email": "nobody@example.org"})
    dispatcher.drain()
    [message] = mail.outbox
    assert "it uses another address." in message.body
    assert SIGN_UP not in message.body


def test_the_notice_is_on_every_page_escaped(staff: Client, who: People) -> None:
    save(staff, notice_en="We move house <b>tonight</b>,\nfrom 22:00.")
    match = match_helpers.running_match(who)
    pages = ["/", "/lobby/", f"/match/{match.pk}/", "/help/", "/people/preferences/", "/nowhere/"]
    for browser, address in [
        *((client_of(who.alice), page) for page in pages),
        *((Client(), page) for page in ("/", "/account/login/", SIGN_UP, "/archive/")),
        *((staff, page) for page in ("/admin/", "/admin/play/match/")),
    ]:
        page = browser.get(address).content.decode()
        assert "We move house &lt;b&gt;tonight&lt;/b&gt;,<br>from 22:00." in page, address
    save(staff)
    assert not notices(Client().get("/").content.decode())


@pytest.mark.parametrize(
    ("language", "text"),
    [("de", "Heute Umzug."), ("en", "We move."), ("fr", "We move."), ("zh-hant", "搬家。")],
)
def test_the_notice_is_in_the_readers_language_or_in_english(
    staff: Client, language: str, text: str
) -> None:
    save(staff, notice_en="We move.", notice_de="Heute Umzug.", notice_zh_hant="搬家。")
    page = Client(HTTP_ACCEPT_LANGUAGE=language).get("/").content.decode()
    assert notices(page) == 1 and text in page


def test_a_notice_in_one_language_is_shown_to_all(staff: Client) -> None:
    save(staff, notice_fr="Nous déménageons.")
    assert "Nous déménageons." in Client().get("/").content.decode()


def test_a_notice_that_is_too_long_is_refused(staff: Client) -> None:
    page = staff.post(ADD, {"notice_en": "x" * 501}).content.decode()
    assert "at most 500 characters" in page
    assert not SiteSettings.objects.exists()


def test_there_is_one_row_which_cannot_be_deleted(staff: Client) -> None:
    assert ADD in staff.get(LIST).content.decode()
    save(staff, notice_en="We move.")
    page = staff.get(LIST).content.decode()
    assert CHANGE in page and ADD not in page
    assert staff.get(ADD).status_code == 403
    delete = reverse("admin:config_sitesettings_delete", args=[SiteSettings.ONLY])
    assert staff.post(delete, {"post": "yes"}).status_code == 403
    assert SiteSettings.objects.get().notice_en == "We move."


@pytest.mark.django_db
def test_pages_share_one_query_for_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    site_settings.forget()
    counts = []
    for clock in (100.0, 101.0, 114.0, 115.0, 116.0):
        monkeypatch.setattr("time.monotonic", lambda clock=clock: clock)
        with CaptureQueriesContext(connection) as queries:
            site_settings.current()
        counts.append(len(queries))
    assert counts == [1, 0, 0, 1, 0]


@pytest.mark.django_db
def test_a_database_that_fails_keeps_the_last_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    SiteSettings.objects.create(pk=SiteSettings.ONLY, notice_en="We move.")
    site_settings.forget()
    assert site_settings.current().notice == "We move."

    def fail() -> None:
        raise DatabaseError

    monkeypatch.setattr(SiteSettings.objects, "first", fail)
    assert site_settings._last is not None
    monkeypatch.setattr(site_settings, "_last", site_settings._last._replace(until=0.0))
    assert site_settings.current().notice == "We move."
