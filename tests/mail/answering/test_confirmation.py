"""The confirmation page shows its owner all that a message says; only then is it carried out."""

import re
from email.message import EmailMessage

import pytest

from accounts.models import User
from games.mail.models import IncomingMessage
from games.notifications.policy import preferences
from games.play.models.match import Match
from tests.mail import post
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

STRANGER = "mallory@evil.example"
ROWS = (" 4   R R R . R . R S C E", " 3   E B F L L M . E C B", " 2   K L R S K B R . B S",
        " 1   L G J J K Y R K E S")  # fmt: skip
UNVERIFIED = "could not verify that you wrote it"


@pytest.fixture
def played(match: Match) -> Match:
    return match_helpers.play(match, "a4-a5", "j7-j6")


def page_of(player: User) -> str:
    page = client_of(player).get(f"/mail/confirm/{post.last().pk}/")
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


def test_the_page_shows_words_and_notes_and_their_sender(played: Match, alice: User) -> None:
    words = "b4-b5\nsay hello & welcome\nto this match\n\nnote <b>secret</b> of h6"
    post.take(post.email(alice), post.written(STRANGER, words))
    assert post.last().outcome == "confirm"
    page = page_of(alice)
    assert UNVERIFIED in page and STRANGER in page and "“b4-b5”" in page
    assert "hello &amp; welcome<br>to this match" in page
    assert "&lt;b&gt;secret&lt;/b&gt; of h6" in page


def test_the_page_shows_the_rows_of_a_set_up(who: People) -> None:
    match_helpers.new_match(who)
    post.take(post.email(who.alice), post.written(STRANGER, "\n".join(ROWS)))
    shown = re.findall("<pre>(.*?)</pre>", page_of(who.alice))
    assert [rows.strip() for rows in shown] == [
        " ".join(f"{row[:2].strip()} {row[2:].replace(' ', '')}" for row in ROWS)
    ]


def test_a_message_without_a_sender_says_so(played: Match, alice: User) -> None:
    post.take(post.email(alice), b"Message-ID: <1@x>\r\n\r\nb4-b5\r\n")
    assert "It names no sender." in page_of(alice)


def test_who_confirms_everything_reads_no_doubt_of_it(played: Match, alice: User) -> None:
    preferences.change(alice, ask_on_site=True)
    post.take(post.email(alice), post.written(alice, "b4-b5"))
    page = page_of(alice)
    assert UNVERIFIED not in page and "You have chosen to confirm everything on the site." in page


def test_the_page_is_for_the_player_alone(played: Match, alice: User, bob: User) -> None:
    post.take(post.email(alice), post.written(STRANGER, "note secret"))
    page = f"/mail/confirm/{post.last().pk}/"
    assert client_of(bob).get(page).status_code == 404
    assert b"secret" not in b"".join(bytes(row.sealed) for row in IncomingMessage.objects.all())


def test_both_sides_of_a_contradiction_are_named(played: Match, alice: User) -> None:
    message = EmailMessage()
    message["From"], message["Message-ID"] = alice.email, "<1@example.org>"
    message.set_content("b4-b5\nboard\n")
    message.add_alternative("<p>e4-e5</p><p>note x</p>", subtype="html")
    post.take(post.email(alice), message.as_bytes())
    assert post.last().outcome == "ambiguous"
    (receipt,) = post.emails(alice)
    words = " ".join(receipt.body.split())
    assert "different commands: (a)“b4-b5”, (b)“e4-e5”. Nothing was done; send only one." in words
    assert "The plain text of your message and its formatted text are not the same." in words


@pytest.mark.parametrize(("language", "named"), [("de", "„b4-b5“"), ("fr", "«\u202fb4-b5\u202f»")])
def test_moves_are_quoted_in_the_marks_of_the_language(
    played: Match, alice: User, language: str, named: str
) -> None:
    alice.language = language
    alice.save()
    receipt = post.answer(alice, post.email(alice), "b4-b5\ne4-e5")
    assert named in receipt.body
