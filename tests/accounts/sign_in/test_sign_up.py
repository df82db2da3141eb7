"""Signing up, from nothing to signed in; bad names, weak passwords and two at once."""

import time

import pytest
import time_machine
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in, sign_up


def test_from_nothing_to_signed_in(visitor: Client) -> None:
    answer = sign_up(visitor, "Murat", "Murat@example.org", zone="Europe/Paris")
    assert answer.url == "/account/confirm-email/"
    assert not is_in(visitor)

    [message] = mail.outbox
    assert message.to == ["murat@example.org"]
    assert message.subject == "[Estafette] Welcome: confirm your address"

    answer = visitor.post("/account/confirm-email/", {"code": code_in()})
    assert answer["Location"] == "/"
    assert is_in(visitor)
    murat = User.objects.get(username="Murat")
    assert not murat.pending
    assert murat.zone == "Europe/Paris"
    assert murat.language == "en"


def test_emails_are_in_the_language_of_the_sign_up(visitor: Client) -> None:
    visitor.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr-CA,fr;q=0.9"
    sign_up(visitor, "Murat", "murat@example.org")
    assert User.objects.get(username="Murat").language == "fr"


def test_an_unknown_zone_becomes_utc(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org", zone="Nowhere/Land")
    assert User.objects.get(username="Murat").zone == "UTC"


@pytest.mark.parametrize(
    ("handle", "sentence"),
    [
        ("=cmd", "A username has"),
        ("adm1n", "is reserved"),
        ("annabe1", "looks too much like Annabel"),
    ],
)
def test_a_bad_handle_is_refused_with_a_reason(
    visitor: Client, ann: User, handle: str, sentence: str
) -> None:
    answer = sign_up(visitor, handle, "new@example.org")
    assert sentence in answer.content.decode()
    assert mail.outbox == []


def test_a_weak_password_is_refused(visitor: Client) -> None:
    answer = sign_up(visitor, "Murat", "murat@example.org", "password")
    assert "too common" in answer.content.decode()


@pytest.mark.parametrize("password", ["Estafette2026!", "L’Attaque 1909", "stratégo-stratego"])
def test_a_password_of_words_of_the_site_is_refused(visitor: Client, password: str) -> None:
    answer = sign_up(visitor, "Murat", "murat@example.org", password)
    assert "words of this site" in answer.content.decode()
    assert not User.objects.filter(username="Murat").exists()


def test_a_password_with_words_of_ones_own_is_accepted(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org", "estafette with 9 carrots")
    assert User.objects.filter(username="Murat").exists()


def test_an_address_too_long_to_keep_is_refused(visitor: Client) -> None:
    answer = sign_up(visitor, "Murat", f"{'m' * 60}@{'x' * 60}.{('y' * 60 + '.') * 3}org")
    assert "at most 254 characters" in answer.content.decode()


def test_unconfirmed_users_are_invisible(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    assert Client().get("/people/profile/Murat/").status_code == 404


def test_a_code_is_valid_for_ten_minutes_and_three_guesses(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    code = code_in()
    for _ in range(2):
        answer = visitor.post("/account/confirm-email/", {"code": "XXXX-XXXX"})
        assert "Incorrect code." in answer.content.decode()
    assert visitor.post("/account/confirm-email/", {"code": "XXXX-XXXX"}).status_code == 302
    visitor.post("/account/confirm-email/", {"code": code})
    assert not is_in(visitor)

    with time_machine.travel(time.time() + 60, tick=True):
        sign_in(visitor, "Murat")
        code = code_in()
    with time_machine.travel(time.time() + 60 + 601, tick=True):
        visitor.post("/account/confirm-email/", {"code": code})
    assert not is_in(visitor)


def test_unconfirmed_users_get_a_new_code_by_signing_in(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    elsewhere = Client()
    with time_machine.travel(time.time() + 60, tick=True):
        assert sign_in(elsewhere, "murat").url == "/account/confirm-email/"
        elsewhere.post("/account/confirm-email/", {"code": code_in()})
    assert is_in(elsewhere)


def test_signing_in_after_an_unfinished_sign_up_continues_with_its_code(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    answer = sign_in(visitor, "Murat")
    assert (answer.status_code, answer.url) == (302, "/account/confirm-email/")
    assert len(mail.outbox) == 1
    assert visitor.post("/account/confirm-email/", {"code": code_in()})["Location"] == "/"
    assert is_in(visitor)


def test_another_browser_has_to_wait_and_then_gets_a_code(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    other = Client()
    answer = sign_in(other, "Murat")
    assert answer.status_code == 200
    assert "Please wait a moment" in answer.content.decode()
    with time_machine.travel(time.time() + 11):
        assert sign_in(other, "Murat").url == "/account/confirm-email/"
        assert len(mail.outbox) == 2
    # Without the password, none of that is shown.
    assert "wait a moment" not in sign_in(Client(), "Murat", "wrong horses").content.decode()


def test_a_mistyped_address_can_be_corrected(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murta@example.org")
    form = {"action": "change", "email": "murat@example.org"}
    visitor.post("/account/confirm-email/", form)
    assert mail.outbox[-1].to == ["murat@example.org"]
    visitor.post("/account/confirm-email/", {"code": code_in()})
    assert is_in(visitor)
    assert User.objects.get(username="Murat").email == "murat@example.org"


def test_a_new_code_can_be_requested(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    with time_machine.travel(time.time() + 11, tick=True):
        visitor.post("/account/confirm-email/", {"action": "resend"})
        assert len(mail.outbox) == 2
        visitor.post("/account/confirm-email/", {"code": code_in()})
    assert is_in(visitor)


def test_the_user_who_reads_the_email_gets_the_address(visitor: Client) -> None:
    squatter = Client()
    sign_up(squatter, "Murat", "lannes@example.org")
    with time_machine.travel(time.time() + 60, tick=True):
        sign_up(visitor, "Lannes", "lannes@example.org")
        visitor.post("/account/confirm-email/", {"code": code_in()})
        assert is_in(visitor)
        answer = squatter.post("/account/confirm-email/", {"code": code_in(mail.outbox[0])})
    assert "already registered" in answer.content.decode()
    assert not is_in(squatter)


def test_an_abandoned_sign_up_reserves_neither_handle_nor_address(visitor: Client) -> None:
    sign_up(Client(), "Murat", "murat@example.org")
    first = User.objects.get(username="Murat")
    assert "taken" in sign_up(visitor, "Murat", "other@example.org").content.decode()
    with time_machine.travel(time.time() + 3700, tick=True):
        sign_up(visitor, "murat", "murat@example.org")
    assert [user.username for user in User.objects.all()] == ["murat"]
    assert not User.objects.filter(pk=first.pk).exists()


def test_a_bot_that_fills_in_the_honeypot_gets_no_account(visitor: Client) -> None:
    answer = sign_up(visitor, "Murat", "murat@example.org", telephone="12345")
    assert answer.url == "/account/confirm-email/"
    assert not User.objects.exists()
    assert mail.outbox == []


def test_two_sign_ups_for_one_handle_at_once(
    visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(_adapter: object, username: str, shallow: bool = False) -> str:
        User.objects.create_user("Murat", "first@example.org")
        return username

    monkeypatch.setattr("accounts.sign_in.adapter.Adapter.clean_username", overtaken)
    answer = sign_up(visitor, "Murat", "murat@example.org")
    assert answer.url == "/account/signup/"
    assert "taken a moment ago" in visitor.get(answer.url).content.decode()
    assert User.objects.count() == 1


def test_signing_up_accepts_any_kind_of_password(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org", "  白 馬 非 馬, said the duke " * 3)
    assert User.objects.get().check_password("  白 馬 非 馬, said the duke " * 3)
    assert not User.objects.get().check_password(PASSWORD)
