"""The pages about proofs: what they are, the public keys, and the program to the byte."""

import hashlib
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games.play.record.proofs import signing
from games.rules.proof import verify

pytestmark = pytest.mark.django_db


def test_the_help_page_shows_the_key_the_programs_hash_and_what_is_not_proved(
    client: Client,
) -> None:
    html = client.get("/proofs/").content.decode()
    assert signing.public_keys()[0] in html
    assert hashlib.sha256(Path(verify.__file__).read_bytes()).hexdigest() in html
    assert "What proofs do not show" in html
    assert "That nobody looked." in html
    assert 'role="img" aria-labelledby="envelopes-title envelopes-text"' in html
    assert " style=" not in html


def test_keys_are_listed_one_a_line_with_the_newest_first(
    client: Client, settings: pytest.FixtureRequest
) -> None:
    keys = ["11" * 32, "22" * 32]
    settings.PROOF_KEYS = keys  # type: ignore[attr-defined]
    response = client.get("/proofs/keys/")
    assert response["Content-Type"] == "text/plain; charset=us-ascii"
    lines = response.content.decode().splitlines()
    assert lines == signing.public_keys()
    assert len(set(lines)) == 2
    settings.PROOF_KEYS = keys[:1]  # type: ignore[attr-defined]
    assert client.get("/proofs/keys/").content.decode() == f"{lines[0]}\n"


def test_the_downloaded_program_is_the_source_code_byte_for_byte(client: Client) -> None:
    response = client.get("/proofs/verify.py")
    assert response.content == Path(verify.__file__).read_bytes()
    assert response["Content-Disposition"] == 'attachment; filename="verify.py"'


def test_every_page_and_the_index_of_the_help_link_to_it(client: Client) -> None:
    html = client.get(reverse("help")).content.decode()
    assert html.count('href="/proofs/"') == 2
