"""The demo: the reply form below each e-mail, and the curl command that plays a move."""

import shlex
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.mail.answering import worker
from games.mail.inbound.curl_example import curl_example
from games.outbox.delivery import dispatcher
from games.play.models.match import Match
from tests.mail import post
from tests.play import match_helpers


@pytest.fixture
def emails(settings: Settings, tmp_path: Path, match: Match) -> Path:
    """Deliver the e-mail that it is Alice's turn."""
    settings.EMAIL_BACKEND = "games.notifications.email.demo.file_backend.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    match_helpers.play(match, "a4-a5", "j7-j6")
    dispatcher.drain()
    return tmp_path


def newest(folder: Path) -> str:
    return max(path.stem for path in folder.glob("*.eml"))


def test_the_reply_form_sends_a_real_message(emails: Path, match: Match) -> None:
    browser = Client()
    name = newest(emails)
    page = browser.get(f"/emails/{name}/").content.decode()
    assert f'action="/emails/{name}/answer/"' in page
    sent = browser.post(f"/emails/{name}/answer/", {"text": "b4-b5\r\n"})
    assert sent["Location"] == "/emails/"
    worker.process_waiting()
    dispatcher.drain()
    assert match_helpers.as_is(match).ply == match.ply + 1
    written = "".join(path.read_text() for path in emails.glob("*.eml"))
    assert "X-Estafette-Outcome: played" in written
    assert b"In-Reply-To:" in post.raw(post.last())


def test_an_empty_reply_is_refused(emails: Path) -> None:
    browser = Client()
    sent = browser.post(f"/emails/{newest(emails)}/answer/", {"text": " "}, follow=True)
    assert "Write a command" in sent.content.decode()


def test_outside_the_demo_there_is_no_reply_form(emails: Path, settings: Settings) -> None:
    settings.DEMO = False
    sent = Client().post(f"/emails/{newest(emails)}/answer/", {"text": "b4-b5"})
    assert sent.status_code == 404


def test_the_printed_curl_command_plays_a_move(match: Match, alice: User) -> None:
    words = shlex.split(curl_example("smtp://127.0.0.1:18000"), comments=True)
    raw = words[1].encode().decode("unicode_escape").encode()
    post.take(words[words.index("--mail-rcpt") + 1], raw)
    assert post.last().outcome == "played"
    assert match_helpers.as_is(match).ply == match.ply + 1
