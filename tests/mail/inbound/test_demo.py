"""The demo: an answer form under each e-mail, and a line for the shell that plays a move."""

import shlex
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.mail.answering import worker
from games.mail.inbound.example import example
from games.outbox import dispatcher
from games.play.models.match import Match
from tests.mail import post
from tests.play import match_helpers


@pytest.fixture
def letters(settings: Settings, tmp_path: Path, match: Match) -> Path:
    """The newest e-mail tells Alice that it is her turn."""
    settings.EMAIL_BACKEND = "games.notifications.email.demo.file_backend.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    match_helpers.play(match, "a4-a5", "j7-j6")
    dispatcher.drain()
    return tmp_path


def newest(folder: Path) -> str:
    return max(path.stem for path in folder.glob("*.eml"))


def test_the_form_under_a_letter_sends_a_real_message(letters: Path, match: Match) -> None:
    browser = Client()
    name = newest(letters)
    page = browser.get(f"/emails/{name}/").content.decode()
    assert f'action="/emails/{name}/answer/"' in page
    sent = browser.post(f"/emails/{name}/answer/", {"text": "b4-b5\r\n"})
    assert sent["Location"] == "/emails/"
    worker.work()
    dispatcher.drain()
    assert match_helpers.as_is(match).ply == match.ply + 1
    written = "".join(path.read_text() for path in letters.glob("*.eml"))
    assert "X-Estafette-Outcome: played" in written
    assert b"In-Reply-To:" in post.raw(post.last())


def test_an_empty_answer_is_refused_with_a_sentence(letters: Path) -> None:
    browser = Client()
    sent = browser.post(f"/emails/{newest(letters)}/answer/", {"text": " "}, follow=True)
    assert "Write a command" in sent.content.decode()


def test_there_is_no_form_elsewhere(letters: Path, settings: Settings) -> None:
    settings.DEMO = False
    sent = Client().post(f"/emails/{newest(letters)}/answer/", {"text": "b4-b5"})
    assert sent.status_code == 404


def test_the_line_that_is_printed_plays_a_move(match: Match, alice: User) -> None:
    words = shlex.split(example("smtp://127.0.0.1:18000"), comments=True)
    raw = words[1].encode().decode("unicode_escape").encode()
    post.take(words[words.index("--mail-rcpt") + 1], raw)
    assert post.last().outcome == "played"
    assert match_helpers.as_is(match).ply == match.ply + 1
