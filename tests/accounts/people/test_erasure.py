"""Erasure: nothing that identifies a person remains, and opponents keep their matches."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone

from accounts import ports
from accounts.models import Session, User
from accounts.people.erasure import erase
from config.personal_data import retention
from games.idempotency import replay
from tests.accounts.conftest import PASSWORD, is_in, sign_in, sign_up
from tests.ports import connected

pytestmark = pytest.mark.postgresql


def test_nothing_that_identified_the_user_remains(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    Authenticator.objects.create(user=ann, type="totp", data={})
    erase(ann)
    former = User.objects.get(pk=ann.pk)
    assert former.username == f"former-player-{ann.pk}"
    assert former.is_former
    assert former.email == ""
    assert not former.is_active
    assert not former.has_usable_password()
    for model in (EmailAddress, Authenticator, Session):
        assert not model.objects.filter(user=ann).exists()
    assert client.get("/people/preferences/").status_code == 302
    page = Client().get(former.get_absolute_url()).content.decode()
    assert "This player has closed their account." in page
    assert "Annabel" not in page


def test_the_handle_and_the_address_are_free_again(visitor: Client, ann: User) -> None:
    erase(ann)
    sign_up(visitor, "Annabel", "ann@example.org")
    assert User.objects.filter(username="Annabel", pending=True).exists()


def test_a_person_closes_their_own_account(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    answer = client.post("/people/leave/", {"handle": "Bob"})
    assert "type its username: Annabel" in answer.content.decode()
    answer = client.post("/people/leave/", {"handle": "annabel"})
    assert answer["Location"] == "/"
    assert not is_in(client)
    assert User.objects.get(pk=ann.pk).is_former
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'


@pytest.fixture
def form(ann: User) -> dict[str, str]:
    """What the page's own form sends, its key included."""
    return {"handle": "Annabel", "idempotency_key": replay.new_key(ann)}


def test_a_form_may_be_sent_again_after_signing_in_again(
    client: Client, ann: User, form: dict[str, str]
) -> None:
    sign_in(client, "Annabel")
    for _ in range(2):
        answer = client.post("/people/leave/", form)
        assert answer["Location"] == "/account/reauthenticate/?next=%2Fpeople%2Fleave%2F"
    assert is_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert client.post("/people/leave/", form)["Location"] == "/"
    assert User.objects.get(pk=ann.pk).is_former


def test_the_form_that_led_to_a_new_sign_in_acts_after_it(
    client: Client, ann: User, form: dict[str, str]
) -> None:
    sign_in(client, "Annabel")
    answer = client.post("/people/leave/", form)
    assert client.post(answer["Location"], {"password": PASSWORD})["Location"] == "/"
    assert User.objects.get(pk=ann.pk).is_former


def test_dependent_data_is_deleted_in_the_same_transaction(ann: User) -> None:
    heard = []

    def settle(user: User) -> None:
        heard.append(user.username)
        raise RuntimeError("cannot be settled")

    with connected(ports.on_closing, settle), pytest.raises(RuntimeError):
        erase(ann)
    assert heard == ["Annabel"]
    assert User.objects.get(pk=ann.pk).username == "Annabel"


def test_erasure_is_idempotent(ann: User) -> None:
    erase(ann)
    erase(ann)
    assert User.objects.get(pk=ann.pk).is_former


def test_sign_ups_never_confirmed_are_deleted(ann: User) -> None:
    for days, handle in ((4, "Murat"), (2, "Desaix")):
        joined = timezone.now() - timedelta(days=days)
        User.objects.create_user(handle, f"{handle}@example.org", pending=True, date_joined=joined)
    retention.clean_up()
    assert {user.username for user in User.objects.all()} == {"Annabel", "Desaix"}
