"""Headers of a receipt: an e-mail that answers a message."""

from typing import Any

import pytest
from django.conf import settings

from accounts.models import User
from games.notifications.email.composing.message import compose
from games.notifications.email.sending.mime import Email
from lib.db_clock import now
from tests.notifications.email.reading import parsed


def receipt(alice: User, **more: Any) -> Email:
    return compose(
        "draw_declined",
        alice,
        {"title": "Played", "link": "http://localhost/"},
        kind="match",
        thread="match.7",
        subject="Match 7: Bob, L'Attaque",
        at=now(),
        message_id="<o1@localhost>",
        **more,
    )


def test_a_receipt_replies_to_the_message_and_says_what_was_done(alice: User) -> None:
    headers = parsed(
        receipt(alice, in_reply_to="<a.b@mail.example>", outcome="played", reply_to="r@localhost")
    )
    assert headers["In-Reply-To"] == "<a.b@mail.example>"
    assert headers["References"] == f"<match.7@{settings.MAIL_DOMAIN}> <a.b@mail.example>"
    assert headers["Auto-Submitted"] == "auto-replied"
    assert headers["X-Estafette-Outcome"] == "played"
    assert headers["Reply-To"] == "r@localhost"


@pytest.mark.parametrize(
    "name", ["", "no brackets@x", "<two words@x>", "<a@x>\r\nBcc: c@x", "<ä@x>", f"<{'a' * 910}@x>"]
)
def test_a_message_without_a_message_id_is_answered_in_the_thread_of_the_match(
    alice: User, name: str
) -> None:
    headers = parsed(receipt(alice, in_reply_to=name, outcome="shown"))
    root = f"<match.7@{settings.MAIL_DOMAIN}>"
    assert (headers["In-Reply-To"], headers["References"]) == (root, root)
    assert headers["Auto-Submitted"] == "auto-replied" and headers["Bcc"] is None


def test_both_parts_name_their_language(alice: User) -> None:
    parts = [part for part in parsed(receipt(alice)).walk() if not part.is_multipart()]
    assert [part["Content-Language"] for part in parts] == ["en", "en"]
