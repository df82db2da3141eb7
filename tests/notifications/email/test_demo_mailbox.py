"""The demo mailbox and its files."""

from pathlib import Path

import pytest
from django.core.mail import EmailMessage, get_connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from games.notifications.email.demo import mailbox
from games.notifications.email.demo.file_backend import EmailBackend
from games.outbox.delivery import dispatcher
from games.play.models.match import Match
from tests.play import match_helpers


@pytest.fixture
def mailbox_path(settings: Settings, tmp_path: Path) -> Path:
    """An empty box in demo mode; e-mails become files in it."""
    settings.DEMO = True
    settings.EMAIL_BACKEND = "games.notifications.email.demo.file_backend.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    return tmp_path / "mail"


@pytest.fixture
def turn_email_name(match: Match, mailbox_path: Path) -> str:
    """The file name of the e-mail to Bob about his turn."""
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    (email,) = mailbox.newest()
    return email.name


def test_an_email_is_written_as_a_complete_file(turn_email_name: str, mailbox_path: Path) -> None:
    (file,) = mailbox_path.iterdir()
    assert file.name == f"{turn_email_name}.eml" and file.read_bytes().endswith(b"\r\n")


def test_an_empty_box_says_so(mailbox_path: Path, client: Client, db: None) -> None:
    assert "There are no e-mails yet." in client.get(reverse("mailbox")).content.decode()


def test_the_box_lists_emails_newest_first(
    turn_email_name: str, match: Match, client: Client
) -> None:
    match_helpers.play(match, "j7-j6")
    dispatcher.drain()
    page = client.get(reverse("mailbox")).content.decode()
    assert page.index("Your turn against Bob") < page.index("Your turn against Alice")
    assert "alice@example.org" in page and reverse("mailbox_email", args=[turn_email_name]) in page


def test_the_box_counts_scheduled_emails(match: Match, mailbox_path: Path, client: Client) -> None:
    User.objects.update(notification_preferences={})  # as somebody who has chosen nothing
    sentence = "1 e-mail is scheduled"
    assert sentence not in client.get(reverse("mailbox")).content.decode()
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert sentence in client.get(reverse("mailbox")).content.decode()
    assert not list(mailbox_path.glob("*.eml"))


def test_the_box_shows_the_newest_fifty(mailbox_path: Path, client: Client, db: None) -> None:
    emails = [EmailMessage(f"E-mail {n:03}", "Dear,", to=["a@example.org"]) for n in range(60)]
    EmailBackend().send_messages(emails)
    page = client.get(reverse("mailbox")).content.decode()
    assert page.count("E-mail 0") == 50 and "E-mail 059" in page and "E-mail 009" not in page


def test_an_email_shows_headers_text_and_a_frame(turn_email_name: str, client: Client) -> None:
    response = client.get(reverse("mailbox_email", args=[turn_email_name]))
    page = response.content.decode()
    assert "bob@example.org" in page and "List-Unsubscribe" in page
    assert '<a href="http://localhost:8000/match/' in page
    assert f'<iframe class="email" src="{reverse("mailbox_html", args=[turn_email_name])}"' in page
    assert "frame-src 'self'" in response["Content-Security-Policy"]


def test_links_are_all_that_works_in_the_html_of_an_email(
    turn_email_name: str, client: Client
) -> None:
    response = client.get(reverse("mailbox_html", args=[turn_email_name]))
    policy = {part.strip() for part in response["Content-Security-Policy"].split(";")}
    assert policy == {
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "frame-ancestors 'self'",
        "sandbox allow-top-navigation-by-user-activation",
    }
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert "<h1" in response.content.decode()


def test_markup_in_an_email_is_escaped(mailbox_path: Path, client: Client, db: None) -> None:
    evil = "<script>alert(1)</script>"
    EmailBackend().send_messages([EmailMessage(evil, evil, to=["a@example.org"])])
    (email,) = mailbox.newest()
    for address in (reverse("mailbox"), reverse("mailbox_email", args=[email.name])):
        assert evil not in client.get(address).content.decode()


@pytest.mark.parametrize("name", ["1-00000000", "secret", "1-0000000G", "12345", "1-00000000-eml"])
def test_an_unknown_email_name_is_not_found(
    mailbox_path: Path, client: Client, db: None, name: str
) -> None:
    for page in ("mailbox_email", "mailbox_html"):
        assert client.get(reverse(page, args=[name])).status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "..",
        "",
        "/etc/passwd",
        "1-00000000/../../secret",
        "1-00000000\x00",
        "١-00000000",
    ],
)
def test_a_name_cannot_lead_to_another_file(mailbox_path: Path, name: str) -> None:
    mailbox_path.mkdir()
    (mailbox_path.parent / "secret.eml").write_text("Subject: secret\n\n")
    with pytest.raises(mailbox.NoSuchEmail):
        mailbox.find(name)


def test_without_demo_there_is_no_box(
    turn_email_name: str, client: Client, settings: Settings
) -> None:
    settings.DEMO = False
    for page, args in (
        ("mailbox", []),
        ("mailbox_email", [turn_email_name]),
        ("mailbox_html", [turn_email_name]),
    ):
        assert client.get(reverse(page, args=args)).status_code == 404


def test_the_box_accepts_only_get(turn_email_name: str, client: Client) -> None:
    for page, args in (
        ("mailbox", []),
        ("mailbox_email", [turn_email_name]),
        ("mailbox_html", [turn_email_name]),
    ):
        assert client.post(reverse(page, args=args)).status_code == 405


def test_an_email_without_html_in_other_alphabets_is_read(mailbox_path: Path) -> None:
    connection = get_connection()
    email = EmailMessage("Grüße", "Schöne Grüße, 軍旗\n", to=["Jörg <joerg@example.org>"])
    connection.send_messages([email])
    (newest,) = mailbox.newest()
    assert newest.message["Subject"] == "Grüße" and "軍旗" in newest.text and newest.html == ""
