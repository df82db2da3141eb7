"""Sessions: listed by device, ended one by one or all, sealed in the database."""

import re
import time

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import Session, User
from accounts.user_sessions.store import SIGNED_IN, SessionStore, row_key
from config.personal_data import retention
from games.play.models.match import Match
from lib.db_clock import frozen_at
from tests.accounts.conftest import code_in, is_in, sign_in
from tests.floors import at_least
from tests.secrecy.dump import dump

pytestmark = pytest.mark.postgresql_soak

PREFERENCES = "/people/preferences/"
LIST = "/people/sessions/"
DAY = 24 * 3600


def cookie(client: Client) -> str:
    return client.cookies["sessionid"].value


def opens(key: str) -> bool:
    """Whether this key, sent in the header as a browser sends it, is signed in."""
    client = Client(headers={"Cookie": f"sessionid={key}"})
    return client.get(PREFERENCES).status_code == 200


# --- the list


def test_every_session_is_listed_with_place_and_browser(ann: User) -> None:
    own = Client(headers={"User-Agent": "Lynx/2.8"})
    there = Client(REMOTE_ADDR="203.0.113.7", headers={"User-Agent": "Mosaic/1.0"})
    sign_in(own, "Annabel")
    sign_in(there, "Annabel")
    page = own.get(LIST).content.decode()
    assert "Lynx" in page and "Lynx/2.8" not in page
    assert "Mosaic" in page
    assert "203.0.113.7" in page
    assert page.count(">this browser<") == 1


def test_the_list_contains_no_key_and_no_session_of_others(ann: User, boss: User) -> None:
    own, elsewhere = Client(), Client(headers={"User-Agent": "Mosaic/1.0"})
    sign_in(own, "Annabel")
    sign_in(elsewhere, "Berthier")
    page = own.get(LIST).content.decode()
    assert "Mosaic" not in page
    keys = at_least(2, Session.objects.values_list("session_key", flat=True))
    assert not [key for key in keys if key in page]
    assert cookie(own) not in page


def test_the_others_can_be_ended(ann: User) -> None:
    own, there = Client(), Client()
    sign_in(own, "Annabel")
    sign_in(there, "Annabel")
    own.post(LIST)
    assert own.get(PREFERENCES).status_code == 200
    assert there.get(PREFERENCES).status_code == 302


def test_a_session_can_be_ended(ann: User) -> None:
    own, there, elsewhere = Client(), Client(), Client()
    for client in (own, there, elsewhere):
        sign_in(client, "Annabel")
    pages = own.get(LIST).content.decode()
    _oldest, second = map(int, re.findall(r'name="session" value="(\d+)"', pages))
    own.post(LIST, {"session": second})
    assert [is_in(client) for client in (own, there, elsewhere)] == [True, True, False]


@pytest.mark.parametrize("number", ["-1", "x", "9" * 18, "9" * 30, "²"])
def test_ending_a_session_that_does_not_exist_ends_nothing(
    client: Client, ann: User, number: int
) -> None:
    sign_in(client, "Annabel")
    assert client.post(LIST, {"session": number}).status_code == 302
    assert is_in(client)


def test_the_session_of_another_user_cannot_be_ended(ann: User, boss: User) -> None:
    own, theirs = Client(), Client()
    sign_in(own, "Annabel")
    sign_in(theirs, "Berthier")
    own.post(LIST, {"session": Session.objects.get(user=boss).pk})
    own.post(LIST)
    assert is_in(theirs)


def test_a_visit_is_noted_once_in_ten_minutes_at_most(
    client: Client, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sign_in(client, "Annabel")
    with django_assert_num_queries(1):
        client.get("/account/login/")
    before = client.session["seen"]
    with time_machine.travel(time.time() + 601, tick=True):
        with django_assert_num_queries(2):
            client.get("/account/login/", REMOTE_ADDR="203.0.113.9")
        with django_assert_num_queries(1):
            client.get("/account/login/")
        assert client.session["seen"] > before
        assert client.session["address"] == "203.0.113.9"


# --- how long


def test_a_session_lasts_from_the_last_visit(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    start = time.time()
    for days in (20, 40, 60):
        with time_machine.travel(start + days * DAY, tick=True):
            assert client.get(PREFERENCES).status_code == 200
    with time_machine.travel(start + 91 * DAY, tick=True):
        assert client.get(PREFERENCES).status_code == 302


def test_however_often_it_is_used_it_ends_after_ninety_days(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    start = time.time()
    for days in range(20, 90, 20):
        with time_machine.travel(start + days * DAY, tick=True):
            assert client.get(PREFERENCES).status_code == 200
    with time_machine.travel(start + 89.9 * DAY, tick=True):
        assert client.get(PREFERENCES).status_code == 200
        assert client.cookies["sessionid"]["max-age"] <= 0.1 * DAY
    with time_machine.travel(start + 90.1 * DAY, tick=True):
        assert client.get(PREFERENCES).status_code == 302


def test_only_a_log_in_restarts_the_age_of_a_session(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    signed_in_at = client.session[SIGNED_IN]
    with time_machine.travel(time.time() + DAY, tick=True):
        client.post("/account/reauthenticate/", {"password": "troop of foxes"})
        words = {"password1": "herd of horses", "password2": "herd of horses"}
        client.post("/account/password/change/", {"oldpassword": "troop of foxes", **words})
        assert client.session[SIGNED_IN] == signed_in_at
        again = Client()
        sign_in(again, "Annabel", "herd of horses")
        assert again.session[SIGNED_IN] > signed_in_at


def test_expired_rows_are_deleted(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    fresh = Client()
    with time_machine.travel(time.time() + 31 * DAY, tick=True):
        sign_in(fresh, "Annabel")
        with frozen_at(timezone.now()):
            retention.clean_up()
        assert [row.session_key for row in Session.objects.all()] == [row_key(cookie(fresh))]


# --- what ends them


def test_a_new_password_ends_the_other_sessions_and_keeps_this_one(ann: User) -> None:
    own, there = Client(), Client()
    sign_in(own, "Annabel")
    sign_in(there, "Annabel")
    form = {"oldpassword": "troop of foxes", "password1": "herd of horses"}
    own.post("/account/password/change/", form | {"password2": "herd of horses"})
    assert own.get(PREFERENCES).status_code == 200
    assert there.get(PREFERENCES).status_code == 302
    assert is_in(own)
    assert Session.objects.filter(user=ann).count() == 1


def test_a_reset_of_the_password_ends_all_other_sessions(ann: User, visitor: Client) -> None:
    there = Client()
    sign_in(there, "Annabel")
    visitor.post("/account/password/reset/", {"email": "ann@example.org"})
    visitor.post("/account/password/reset/confirm/", {"code": code_in()})
    words = {"password1": "herd of horses", "password2": "herd of horses"}
    visitor.post("/account/password/reset/complete/", words)
    assert not Session.objects.filter(session_key=row_key(cookie(there))).exists()


# --- what a dump of the database holds


def test_a_dump_contains_neither_the_key_nor_a_mailed_code(
    client: Client, visitor: Client, ann: User
) -> None:
    sign_in(client, "Annabel")
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    code = code_in(mail.outbox[-1])
    pattern = code.replace("-", "-?").encode()
    secrets = {cookie(client).encode(), cookie(visitor).encode()}
    for table, data in at_least(10, dump()):
        assert not [secret for secret in secrets if secret in data], table
        assert not re.search(pattern, data), table
        assert b"203.0.113" not in data, table
    # The code is in the unsealed data.
    visitor.post("/account/login/code/confirm/", {"code": code})
    assert is_in(visitor)


def test_a_dump_contains_no_secret_of_an_app_that_is_being_enrolled(
    client: Client, ann: User
) -> None:
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": "troop of foxes"})
    page = client.get("/account/2fa/totp/activate/").content.decode()
    secret = re.search(r'id="authenticator_secret" value="([A-Z2-7]+)"', page)[1].encode()
    assert not [table for table, data in at_least(10, dump()) if secret in data]


def test_a_dump_opens_no_session(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    row = Session.objects.get(user=ann)
    assert opens(cookie(client))
    assert not opens(row.session_key)
    assert not opens(row.session_data)
    assert not opens(str(row.pk).rjust(32, "0"))


def test_the_data_of_one_session_does_not_open_in_another(
    client: Client, ann: User, boss: User
) -> None:
    """Write access to the table is not enough to put an administrator's data under another key."""
    sign_in(client, "Annabel")
    theirs = Client()
    sign_in(theirs, "Berthier")
    data = Session.objects.get(user=boss).session_data
    Session.objects.filter(user=ann).update(session_data=data)
    assert not opens(cookie(client))


@pytest.mark.parametrize("sealed", ["", "nonsense", "AAAA" * 20, "\N{SNOWMAN}"])
def test_a_session_that_cannot_be_opened_is_signed_out(
    client: Client, ann: User, sealed: Match
) -> None:
    sign_in(client, "Annabel")
    Session.objects.update(session_data=sealed)
    assert client.get(PREFERENCES).status_code == 302
    sign_in(client, "Annabel")
    assert client.get(PREFERENCES).status_code == 200


def test_a_session_survives_a_change_of_keys_and_ends_when_its_key_is_removed(
    client: Client, ann: User, settings: Settings
) -> None:
    sign_in(client, "Annabel")
    other = Client()
    sign_in(other, "Annabel")
    old = settings.SEAL_KEYS
    settings.SEAL_KEYS = ["a new key", *old]
    with time_machine.travel(time.time() + 601, tick=True):
        assert client.get(PREFERENCES).status_code == 200  # and resealed
    settings.SEAL_KEYS = ["a new key"]
    assert client.get(PREFERENCES).status_code == 200
    assert other.get(PREFERENCES).status_code == 302
    assert client.get(LIST).content.decode().count("<tr>") == 2


@pytest.mark.parametrize("key", ["", "x", '"' + r"\000" * 32 + '"', "é" * 32, "x" * 5000])
def test_an_invented_cookie_is_refused(db: None, key: str) -> None:
    assert not opens(key)


def test_sessions_stay_in_the_database_whatever_the_cache_is(settings: Settings) -> None:
    assert SessionStore.__module__ == settings.SESSION_ENGINE
