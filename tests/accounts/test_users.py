"""Users: what is unique, and who can play."""

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, is_in, sign_in

pytestmark = pytest.mark.postgresql


def test_a_user_has_no_name_but_the_username(ann: User) -> None:
    assert str(ann) == ann.get_full_name() == ann.get_short_name() == "Annabel"
    assert not hasattr(User, "first_name") or User.first_name is None


def test_addresses_are_unique_regardless_of_case(ann: User) -> None:
    assert User.objects.get(email="ANN@Example.ORG") == ann
    with pytest.raises(IntegrityError):
        User.objects.bulk_create([User(username="bob", email="Ann@Example.org")])


def test_those_without_an_address_do_not_collide(db: None) -> None:
    User.objects.create_user("Bob")
    User.objects.create_user("Charlie")


def test_active_users_are_the_possible_opponents(ann: User) -> None:
    User.objects.create_user("Pia", "pia@example.org", pending=True)
    User.objects.create_user("Gus", "gus@example.org", is_active=False)
    assert list(User.objects.active()) == [ann]


def test_the_address_of_a_superuser_counts_as_confirmed(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command(
        "createsuperuser", "--noinput", username="Berthier", email="Boss@example.org", verbosity=0
    )
    client = Client()
    assert sign_in(client, "boss@example.org").url == "/"
    assert is_in(client)


def test_a_superuser_has_an_address(db: None) -> None:
    with pytest.raises(CommandError, match="--email"):
        call_command("createsuperuser", "--noinput", username="Berthier")


def test_an_unknown_time_zone_counts_as_utc(ann: User) -> None:
    ann.zone = "Atlantis/Capital"
    assert str(ann.zoneinfo) == "UTC"
