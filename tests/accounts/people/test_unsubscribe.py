"""Unsubscribe links: each stops one kind of e-mail without signing in, and does nothing else."""

from django.test import Client

from accounts.models import User
from accounts.people import unsubscribe
from tests.accounts.conftest import is_in


def test_a_link_stops_emails_of_one_kind_without_signing_in(ann: User) -> None:
    path = unsubscribe.stop_path(ann, "reminder")
    stranger = Client(enforce_csrf_checks=True)
    assert "Unsubscribe from these e-mails?" in stranger.get(path).content.decode()
    ann.refresh_from_db()
    assert ann.reminder_emails

    for _ in range(2):
        answer = stranger.post(path, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    ann.refresh_from_db()
    assert (ann.match_emails, ann.reminder_emails) == (True, False)


def test_a_forged_link_changes_nothing(client: Client, ann: User) -> None:
    path = unsubscribe.stop_path(ann, "match")
    for forged in (path[:-2] + "x/", "/people/unsubscribe/nonsense/", path.replace(":", ";")):
        assert client.post(forged).status_code == 404
    ann.refresh_from_db()
    assert ann.match_emails


def test_an_unsubscribe_link_gives_no_other_access(client: Client, ann: User) -> None:
    client.post(unsubscribe.stop_path(ann, "match"))
    assert not is_in(client)
