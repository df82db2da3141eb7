"""Parallel guesses: exactly as many are tried as are allowed."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import GuessCount, User
from tests.accounts.conftest import PASSWORD, is_in, sign_in
from tests.concurrent import at_once

pytestmark = [pytest.mark.postgresql, pytest.mark.usefixtures("apart")]

AT_ONCE, ALLOWED = 12, 5
WRONG = "troop of wolves"


@pytest.fixture
def ann(apart: None) -> User:
    return User.objects.create_confirmed("Annabel", "ann@example.org", PASSWORD)


def from_afar(number: int) -> Client:
    """A browser with its own network address, so that only the account's limit counts."""
    return Client(REMOTE_ADDR=f"203.0.113.{number}")


def verdicts(*guesses: Callable[[], bytes]) -> Counter[str]:
    """How many of these guesses, made at once, were tried, and how many refused."""
    answers = [bytes(answer).decode() for answer in at_once(*guesses)]  # type: ignore[call-overload]
    return Counter("refused" if "Too many" in answer else "tried" for answer in answers)


def guess_password(number: int) -> Callable[[], bytes]:
    return lambda: sign_in(from_afar(number), "Annabel", WRONG).content


def test_only_five_of_many_simultaneous_passwords_are_tried(ann: User) -> None:
    outcomes = verdicts(*map(guess_password, range(AT_ONCE)))
    assert outcomes == {"tried": ALLOWED, "refused": AT_ONCE - ALLOWED}
    guest = from_afar(99)
    sign_in(guest, "Annabel")
    assert not is_in(guest)


@pytest.mark.soak
def test_a_lock_that_was_left_behind_allows_no_more_guesses(ann: User) -> None:
    """A count in the cache would be wrong if its lock had expired."""
    sign_in(from_afar(50), "Annabel", WRONG)
    table = connection.ops.quote_name("cache")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT cache_key FROM {table}")
        for (key,) in cursor.fetchall():
            cache.set(f"{key.split(':', 2)[2]}:lock", True, timeout=-1)
    assert verdicts(*map(guess_password, range(AT_ONCE)))["tried"] == ALLOWED - 1


def test_only_five_of_many_simultaneous_codes_are_tried(ann: User) -> None:
    TOTP.activate(ann, generate_totp_secret())
    assert Authenticator.objects.filter(user=ann).exists()
    guests = [from_afar(number) for number in range(AT_ONCE)]
    for guest in guests:
        assert sign_in(guest, "Annabel").url == "/account/2fa/authenticate/"

    def guess(guest: Client) -> Callable[[], bytes]:
        return lambda: guest.post("/account/2fa/authenticate/", {"code": "000000"}).content

    outcomes = verdicts(*map(guess, guests))
    assert outcomes == {"tried": ALLOWED, "refused": AT_ONCE - ALLOWED}
    assert not any(map(is_in, guests))


@pytest.mark.soak
def test_passwords_of_many_accounts_from_one_address_are_counted_as_exactly(
    ann: User, settings: Any
) -> None:
    # The page's own limit: a request that waits for its lock for a second is refused.
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": None}

    def guess(number: int) -> Callable[[], bytes]:
        return lambda: sign_in(from_afar(1), f"Somebody{number}", WRONG).content

    assert verdicts(*map(guess, range(AT_ONCE)))["tried"] == 10


def test_successful_sign_ins_use_up_no_limit(ann: User) -> None:
    for _ in range(ALLOWED + 2):
        guest = from_afar(1)
        sign_in(guest, "Annabel")
        assert is_in(guest)


def test_stored_counts_contain_neither_names_nor_addresses(ann: User) -> None:
    sign_in(from_afar(7), "Annabel", WRONG)
    rows = GuessCount.objects.values_list("key", "guesses")
    assert sorted(count for _key, count in rows) == [1, 1]
    assert all(len(key) == 64 and "nnabel" not in key for key, _count in rows)
    assert not GuessCount.objects.filter(until__lt=timezone.now()).exists()


def test_guesses_at_the_old_password_are_counted(ann: User) -> None:
    guest = from_afar(1)
    guest.force_login(ann)
    form = {"password1": "herd of zebras", "password2": "herd of zebras"}
    pages = [
        guest.post("/account/password/change/", {**form, "oldpassword": WRONG}).content.decode()
        for _ in range(ALLOWED + 1)
    ]
    assert ["Too many failed" in page for page in pages] == [False] * ALLOWED + [True]
    guest.post("/account/password/change/", {**form, "oldpassword": PASSWORD})
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)
