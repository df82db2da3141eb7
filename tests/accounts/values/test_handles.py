"""Usernames: the rules, and names that impersonate others or the service."""

import csv
import io
from email.headerregistry import Address

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from accounts.values import usernames


def is_allowed(handle: str) -> bool:
    try:
        for validate in usernames.VALIDATORS:
            validate(handle)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("handle", ["ann", "Ney-1815", "L_Aiglon", "a" * 20, "O-o"])
def test_plain_handles_are_allowed(handle: str) -> None:
    assert is_allowed(handle)


@pytest.mark.parametrize(
    "handle", ["", "al", "a" * 21, "1st", "-ann", "_ann", "an n", "ann\n", "ann\nBcc: x", "Zoë"]
)
def test_invalid_handles_are_refused_with_the_rules(handle: str) -> None:
    with pytest.raises(ValidationError, match="3 to 20 characters, starts with a letter"):
        usernames.validate_shape(handle)


@pytest.mark.parametrize(
    "handle",
    ["=cmd", "+ann", "@ann", "an@n", "ann\x00", "\u0410nn", "a/b", "an'n", "<b>a", "an\u0661"],
)
def test_handles_with_special_characters_are_refused(handle: str) -> None:
    assert not is_allowed(handle)


@pytest.mark.parametrize(
    "handle",
    ["admin", "Admin", "adm1n", "ad-min", "r00t", "Post_Master", "former-player-7", "m0d3rator"],
)
def test_handles_cannot_impersonate_the_service(handle: str) -> None:
    with pytest.raises(ValidationError, match="is reserved"):
        usernames.validate_unreserved(handle)


@pytest.mark.parametrize("other", ["BIll-O", "bi11o", "billo", "b-i-l-l-0", "Bil_lO", "BI1L0"])
def test_look_alikes_have_one_skeleton(other: str) -> None:
    assert usernames.skeleton(other) == usernames.skeleton("Billo")


def test_rn_passes_for_m_and_vv_for_w() -> None:
    assert usernames.skeleton("Farnham") == usernames.skeleton("Famham")
    assert usernames.skeleton("Savvy") == usernames.skeleton("Sawy")
    assert usernames.skeleton("r-n") == usernames.skeleton("m")


@given(st.text(max_size=25))
def test_allowed_handles_are_safe_in_every_context(handle: str) -> None:
    if not is_allowed(handle):
        return
    assert Address(handle, "post", "example.org").display_name == handle
    assert not handle.startswith(("=", "+", "-", "@", "\t", "\r"))
    row = io.StringIO()
    csv.writer(row).writerow([handle])
    assert row.getvalue() == handle + "\r\n"


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{2,19}", fullmatch=True))
def test_a_skeleton_fits_its_column_and_is_its_own(handle: str) -> None:
    key = usernames.skeleton(handle)
    assert 0 < len(key) <= len(handle)
    assert usernames.skeleton(handle.swapcase()) == key


@pytest.mark.postgresql
def test_a_handle_that_looks_like_another_is_refused(db: None) -> None:
    User.objects.create_user("Alice")
    for handle, sentence in [
        ("aLICE", "taken"),
        ("A1ice", "looks too much like Alice"),
        ("Al-ice", "Alice"),
    ]:
        with pytest.raises(ValidationError, match=sentence):
            User.objects.create_user(handle)


@pytest.mark.postgresql
def test_the_database_itself_refuses_a_look_alike(db: None) -> None:
    User.objects.create_user("Alice")
    with pytest.raises(IntegrityError):
        User.objects.bulk_create([User(username="al1ce")])


@pytest.mark.postgresql
def test_the_command_line_keeps_the_same_rules(db: None) -> None:
    User.objects.create_user("Alice", "alice@example.org")
    for handle, sentence in [
        ("-x", "A username has"),
        ("r00t", "reserved"),
        ("A1ice", "looks too much like Alice"),
    ]:
        with pytest.raises(CommandError, match=sentence):
            call_command("createsuperuser", "--noinput", username=handle, email="x@example.org")
