"""Signing up and in with the spellings that phones and mail programs make."""

import unicodedata
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher, make_password
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.sign_in import auth_backend
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in, sign_up

TYPED = "mueller@bücher.example"
STORED = "mueller@xn--bcher-kva.example"
COMPOSED = unicodedata.normalize("NFC", "Zwölf Füße")
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


@pytest.mark.parametrize(
    "login", ["Ａｎｎａｂｅｌ", "annabel\u200b", "\u200eAnnabel\xa0", "ann＠example。org"]
)
def test_a_login_may_be_full_width_or_have_invisible_marks(
    visitor: Client, ann: User, login: str
) -> None:
    sign_in(visitor, login)
    assert is_in(visitor)


@pytest.mark.parametrize(
    "spell",
    [
        lambda code: code.replace("-", "–"),
        lambda code: f" {code.lower()}. ",
        lambda code: "".join(chr(ord(sign) + 0xFEE0) for sign in code),
        lambda code: code.replace("-", "\u2011"),
        lambda code: code.replace("-", "−"),
        lambda code: "\u200b".join(code.replace("-", "\u3000")),
        lambda code: f"“{code}”",
    ],
)
def test_a_code_may_have_any_signs_around_its_letters(
    visitor: Client, ann: User, spell: Callable[[str], str]
) -> None:
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    visitor.post("/account/login/code/confirm/", {"code": spell(code_in())})
    assert is_in(visitor)


def test_a_mailbox_at_an_international_domain_is_one_account(visitor: Client) -> None:
    sign_up(visitor, "Mueller", TYPED)
    assert mail.outbox[-1].to == [STORED]
    visitor.post("/account/confirm-email/", {"code": code_in()})
    assert is_in(visitor)
    assert User.objects.get(username="Mueller").email == STORED
    assert EmailAddress.objects.get(user__username="Mueller").email == STORED

    other = Client()
    for typed in (
        STORED.upper(),
        "MUELLER＠BÜCHER。example",
        TYPED.replace("mueller", chr(34) + "mueller" + chr(34)),
    ):
        assert sign_in(other, typed).url == "/"
        assert is_in(other)
        other = Client()

    cache.clear()  # the limit of e-mails to one address
    sign_up(other, "Second", STORED)
    assert "already" in mail.outbox[-1].body


@pytest.mark.parametrize("page", ["/account/login/code/", "/account/password/reset/"])
def test_codes_go_to_the_mailbox_however_it_is_typed(visitor: Client, page: str) -> None:
    User.objects.create_confirmed("Mueller", TYPED, PASSWORD)
    visitor.post(page, {"email": unicodedata.normalize("NFD", TYPED).upper()})
    assert mail.outbox[-1].to == [STORED]
    assert code_in(mail.outbox[-1])


@pytest.fixture
def _without_factor(settings: Settings) -> None:
    settings.STAFF_NEEDS_MFA = False


@pytest.mark.usefixtures("_without_factor")
def test_staff_find_an_address_as_people_write_it(boss: User, visitor: Client) -> None:
    User.objects.create_confirmed("Mueller", TYPED, PASSWORD)
    visitor.force_login(boss)
    response = visitor.get("/admin/accounts/user/", {"q": TYPED})
    assert "Mueller" in response.content.decode()


@pytest.mark.usefixtures("_without_factor")
def test_a_second_account_by_staff_is_refused_for_the_same_mailbox(
    boss: User, visitor: Client
) -> None:
    User.objects.create_confirmed("Mueller", TYPED, PASSWORD)
    visitor.force_login(boss)
    form = {"username": "Other", "email": STORED, "password1": PASSWORD, "password2": PASSWORD}
    form["usable_password"] = "true"
    answer = visitor.post("/admin/accounts/user/add/", form)
    assert "already in use" in answer.content.decode()


@pytest.mark.parametrize(("chosen", "typed"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)])
def test_a_password_is_the_same_however_its_letters_are_composed(
    visitor: Client, chosen: str, typed: str
) -> None:
    User.objects.create_confirmed("Annabel", "ann@example.org", chosen)
    sign_in(visitor, "Annabel", typed)
    assert is_in(visitor)


def test_a_changed_password_is_normalized_too(client: Client, ann: User, visitor: Client) -> None:
    ann.set_password("ｆｕｌｌ　ｗｉｄｔｈ")
    ann.save()
    sign_in(visitor, "Annabel", "full width")
    assert is_in(visitor)


def test_a_hash_of_an_older_version_stays_valid(visitor: Client, ann: User) -> None:
    User.objects.filter(pk=ann.pk).update(password=make_password(DECOMPOSED))
    sign_in(visitor, "Annabel", DECOMPOSED)
    assert is_in(visitor)


@pytest.mark.parametrize("password", ["plain ascii", DECOMPOSED])
def test_a_name_without_account_costs_as_many_hashes(
    visitor: Client, ann: User, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    backend = auth_backend.Backend()
    backend.authenticate(None, username="Annabel", password=password)
    wrong = len(hashed)
    backend.authenticate(None, username="Nobody", password=password)
    assert len(hashed) == 2 * wrong
