"""Rate limits of guesses, mailed codes, password resets and sign-ups."""

import time

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests import tiers
from tests.accounts.conftest import code_in, is_in, sign_in, sign_up

pytestmark = pytest.mark.postgresql

WRONG = "troop of wolves"


def from_afar(n: int) -> Client:
    return Client(REMOTE_ADDR=f"203.0.113.{n}")


def test_five_wrong_passwords_lock_one_account(ann: User) -> None:
    for n in range(5):
        assert "not correct" in sign_in(from_afar(n), "Annabel", WRONG).content.decode()
    guest = from_afar(9)
    assert "Too many failed" in sign_in(guest, "annabel").content.decode()
    assert not is_in(guest)
    with time_machine.travel(time.time() + 601, tick=True):
        sign_in(guest, "Annabel")
    assert is_in(guest)


def test_another_host_name_of_the_site_has_no_second_count(ann: User, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    for n in range(5):
        Client(REMOTE_ADDR=f"203.0.113.{n}", SERVER_NAME="127.0.0.1").post(
            "/account/login/", {"login": "Annabel", "password": WRONG}
        )
    guest = Client(SERVER_NAME="localhost")
    sign_in(guest, "Annabel")
    assert not is_in(guest)


def test_handle_and_address_of_a_person_are_counted_separately(ann: User) -> None:
    # Otherwise five failures with a public handle would reveal whose address it is.
    for n in range(5):
        sign_in(from_afar(n), "Annabel", WRONG)
    answer = sign_in(from_afar(9), "ann@example.org", WRONG)
    assert "not correct" in answer.content.decode()


def test_ten_wrong_guesses_a_minute_lock_out_one_network_address(ann: User) -> None:
    for n in range(10):
        sign_in(from_afar(1), f"somebody{n}", WRONG)
    guest = from_afar(1)
    sign_in(guest, "Annabel")
    assert not is_in(guest)
    sign_in(from_afar(2), "Annabel")


def test_the_admin_has_no_log_in_of_its_own(boss: User) -> None:
    for n in range(5):
        answer = from_afar(n).post(
            "/admin/login/", {"username": "Berthier", "password": WRONG}, follow=True
        )
        assert answer.redirect_chain[0][0].startswith("/account/login/?next=")
        sign_in(from_afar(n), "Berthier", WRONG)
    guest = from_afar(9)
    guest.post("/admin/login/", {"username": "Berthier", "password": "troop of foxes"})
    assert not is_in(guest)
    sign_in(guest, "Berthier")
    assert not is_in(guest)


def test_codes_to_sign_in_are_limited(ann: User) -> None:
    for n in range(5):
        from_afar(n).post("/account/login/code/", {"email": "ann@example.org"})
    assert len(mail.outbox) == 3


def test_a_code_to_sign_in_allows_three_guesses(visitor: Client, ann: User) -> None:
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    for _ in range(3):
        visitor.post("/account/login/code/confirm/", {"code": "XXXX-XXXX"})
    visitor.post("/account/login/code/confirm/", {"code": code_in()})
    assert not is_in(visitor)


def test_resets_are_limited(ann: User) -> None:
    for n in range(8):
        from_afar(n).post("/account/password/reset/", {"email": "ann@example.org"})
    assert len(mail.outbox) == 5


def test_sign_ups_are_limited(db: None) -> None:
    answers = [
        sign_up(from_afar(1), f"recruit{'abcdefghjkmn'[n]}", f"r{n}@example.org") for n in range(11)
    ]
    assert [answer.status_code for answer in answers] == [302] * 10 + [429]
    assert "Too many requests." in answers[-1].content.decode()


@pytest.mark.parametrize("times", tiers.parameters((15, 30), fast=(15,)))
def test_no_address_is_flooded_with_codes(db: None, times: int) -> None:
    sign_up(from_afar(1), "Recruitone", "victim@example.org")
    answer = sign_up(from_afar(2), "Recruittwo", "victim@example.org")
    assert "has just been sent" in answer.content.decode()
    for n in range(3, times):
        with time_machine.travel(time.time() + 11 * n, tick=True):
            sign_up(from_afar(n), f"recruit{chr(97 + n % 26)}{n}", "victim@example.org")
    assert len(mail.outbox) == 10


@pytest.mark.django_db
def test_limits_are_counted_where_all_processes_count(settings: Settings) -> None:
    assert settings.CACHES["default"]["BACKEND"] == "config.web.cache.DatabaseCache"
    assert cache._max_entries >= 100_000


@pytest.fixture
def few_emails(settings: Settings) -> None:
    """Six e-mails an hour in all, three of them to strangers."""
    limits = settings.ACCOUNT_RATE_LIMITS | {"email": "6/h/key", "email_to_strangers": "3/h/key"}
    settings.ACCOUNT_RATE_LIMITS = limits


CODE, RESET = "/account/login/code/", "/account/password/reset/"


def test_strangers_leave_a_part_of_the_emails_to_users(few_emails: None, ann: User) -> None:
    for n in range(3):
        sign_up(from_afar(n), f"recruit{'abc'[n]}", f"r{n}@example.org")
    assert sign_up(from_afar(4), "recruitd", "r4@example.org").status_code == 429
    sent = len(mail.outbox)
    for n, page in enumerate((CODE, RESET)):
        assert from_afar(5 + n).post(page, {"email": "ann@example.org"}).status_code == 302
    assert [message.to for message in mail.outbox[sent:]] == [["ann@example.org"]] * 2


def test_sign_ups_that_wait_for_their_code_count_as_strangers(few_emails: None, ann: User) -> None:
    for n in range(3):
        sign_up(from_afar(n), f"recruit{'abc'[n]}", f"r{n}@example.org")
    sent = len(mail.outbox)
    for n in range(3):
        from_afar(10 + n).post(CODE, {"email": f"r{n}@example.org"})
    assert len(mail.outbox) == sent
    from_afar(20).post(CODE, {"email": "ann@example.org"})
    assert len(mail.outbox) == sent + 1


def test_the_limit_of_strangers_does_not_reveal_who_has_an_account(
    few_emails: None, ann: User
) -> None:
    for n in range(3):
        from_afar(n).post(CODE, {"email": f"nobody{n}@example.org"})
    answers = [
        [from_afar(10).post(page, {"email": email}).status_code for page in (CODE, RESET)]
        for email in ("ann@example.org", "bob@example.org")
    ]
    assert answers == [[302, 302], [302, 302]]
    # A sign-up is refused whether or not the address has an account.
    assert sign_up(from_afar(20), "Murat", "ann@example.org").status_code == 429
    assert sign_up(from_afar(21), "Lannes", "bob@example.org").status_code == 429
