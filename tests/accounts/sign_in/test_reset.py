"""Forgotten passwords: replaced by a mailed code, which ends every other session."""

from typing import Any

from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in

NEW = "herd of horses"


def reset(client: Client, email: str, code: str = "", password: str = NEW) -> Any:
    client.post("/account/password/reset/", {"email": email})
    client.post("/account/password/reset/confirm/", {"code": code or code_in()})
    form = {"password1": password, "password2": password}
    return client.post("/account/password/reset/complete/", form)


def test_a_forgotten_password_is_replaced_by_a_code(visitor: Client, ann: User) -> None:
    answer = reset(visitor, "ann@example.org")
    assert answer.url == "/account/password/reset/done/"
    assert [message.subject for message in mail.outbox] == [
        "[Estafette] Your code to reset your password",
        "[Estafette] Your password was reset",
    ]
    assert not is_in(visitor)
    sign_in(visitor, "Annabel", PASSWORD)
    assert not is_in(visitor)
    sign_in(visitor, "Annabel", NEW)
    assert is_in(visitor)


def test_a_reset_ends_every_other_session(visitor: Client, ann: User) -> None:
    other = Client()
    sign_in(other, "Annabel")
    reset(visitor, "ann@example.org")
    assert other.get("/people/preferences/").status_code == 302


def test_a_wrong_code_resets_nothing(visitor: Client, ann: User) -> None:
    visitor.post("/account/password/reset/", {"email": "ann@example.org"})
    visitor.post("/account/password/reset/confirm/", {"code": "XXXX-XXXX"})
    visitor.post("/account/password/reset/complete/", {"password1": NEW, "password2": NEW})
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)
