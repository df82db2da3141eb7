"""One mailbox has one address, however it is spelled."""

import unicodedata
from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection

from accounts.models import User
from accounts.values import addresses

MUELLER = "müller@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "typed",
    [
        "müller@bücher.example",
        "MÜLLER@BÜCHER.EXAMPLE",
        unicodedata.normalize("NFD", "müller@bücher.example"),
        "müller@XN--BCHER-KVA.example",
        " müller＠bücher。example ",
        "müller@bücher.example.",
        "mül\u00adler@bü\u200bcher.example",
    ],
)
def test_an_international_address_has_one_form(typed: str) -> None:
    assert addresses.canonical(typed) == MUELLER
    assert addresses.canonical(MUELLER) == MUELLER


def test_unneeded_quotes_are_removed() -> None:
    assert addresses.canonical('"Ann.B"@Example.org') == "ann.b@example.org"


def test_different_domains_stay_different() -> None:
    typed = ["a@straße.example", "a@strasse.example", "a@bucher.example", "a@bücher.example"]
    assert len(set(map(addresses.canonical, typed))) == len(typed)


@pytest.mark.parametrize(
    "typed", ["", "@", "ann", "a@-", "a@ü..x", "a@" + "ü" * 5_000, '"a b"@x.org']
)
def test_an_invalid_address_stays_unchanged(typed: str) -> None:
    assert addresses.canonical(typed) == typed.lower()


@pytest.mark.parametrize(
    ("sender", "canonical"),
    [
        ("müller@bücher.example", MUELLER),
        ("Müller@xn--bcher-kva.example", MUELLER),
        ("ann@ｅxample.org", None),
        ("ann@exam\u200bple.org", None),
        ("ann@\ufffd.org", None),
    ],
)
def test_a_sender_is_canonical_but_never_corrected(sender: str, canonical: str | None) -> None:
    assert addresses.with_ascii_domain(sender) == canonical


def test_addresses_stored_before_are_rewritten(db: None) -> None:
    migrate = import_module("accounts.migrations.0003_canonical_addresses").canonicalize
    users = [User.objects.create_confirmed(name, f"{name}@x.org") for name in ("Anna", "Bert")]
    for model in (User, EmailAddress):
        table = connection.ops.quote_name(model._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {table} SET email = %s WHERE email = %s",
                ["anna@bücher.example", "anna@x.org"],
            )
    migrate(apps, None)
    stored = "anna@xn--bcher-kva.example"
    assert [User.objects.get(pk=user.pk).email for user in users] == [stored, "bert@x.org"]
    assert EmailAddress.objects.filter(email=stored).count() == 1
