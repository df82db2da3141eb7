"""E-mails as files, where there is no mail server."""

from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage, get_connection


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    return tmp_path / "mail"


def test_each_email_is_a_separate_file(folder: Path) -> None:
    with get_connection("games.notifications.email.demo.file_backend.EmailBackend") as connection:
        for subject in ("Your turn", "À vous"):
            connection.send_messages([EmailMessage(subject, "Go.", "a@b.org", ["c@d.org"])])
    messages = sorted(folder.glob("*.eml"))
    assert len(messages) == len(list(folder.iterdir())) == 2
    subjects = [
        message_from_bytes(path.read_bytes(), policy=policy.default)["Subject"] for path in messages
    ]
    assert subjects == ["Your turn", "À vous"]
    assert b"\r\n\r\nGo." in messages[0].read_bytes()
