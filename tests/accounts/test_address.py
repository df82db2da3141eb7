"""A change of address: takes effect once the new one is confirmed, and reveals no other user."""

from typing import Any

from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, code_in, sign_in


def ask(client: Client, email: str) -> Any:
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client.post("/account/email/", {"action_add": "", "email": email})


def test_an_address_changes_once_the_new_one_is_confirmed(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    ask(client, "New@example.org")
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    client.post("/account/confirm-email/", {"code": code_in()})
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    assert [a.email for a in EmailAddress.objects.filter(user=ann)] == ["new@example.org"]
    notice = mail.outbox[-1]
    assert notice.to == ["ann@example.org"]
    assert "no longer go to ann@example.org, but to new@example.org" in notice.body


def test_another_users_address_cannot_be_taken(client: Client, ann: User) -> None:
    User.objects.create_confirmed("Bob", "bob@example.org", PASSWORD)
    sign_in(client, "Bob")
    ask(client, "ann@example.org")
    assert mail.outbox[-1].subject == "[Estafette] You already have an account"
    guest = Client()
    sign_in(guest, "Annabel")
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
