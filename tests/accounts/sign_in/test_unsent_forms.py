"""A form whose session or token has run out is offered again, and nothing of it is lost."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from games.play.commands import notes
from games.play.models.match import Match, Player
from games.play.record.sealed import notebooks
from tests.accounts.conftest import PASSWORD, sign_in
from tests.play import match_helpers
from tests.play.match_helpers import People

OWN = {"Origin": "http://testserver"}
NOTE = "Hold the bridge <b>\nthen  wait"


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.new_match(who)


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


def offered(answer: Any) -> dict[str, str]:
    """The fields of the page's form."""
    page = answer.content.decode()
    form = re.search(r'<form class="form" method="post".*?</form>', page, re.DOTALL)
    assert form, page
    matches = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form[0])
    matches += re.findall(r'<textarea name="([^"]*)"[^>]*>\n?([^<]*)</textarea>', form[0])
    return {unescape(name): unescape(value) for name, value in matches}


def test_submitted_values_are_sent_after_signing_in_again(ann: User, browser: Client) -> None:
    page = browser.get("/account/login/")
    token = browser.cookies["csrftoken"].value
    assert page.status_code == 200
    form = {"zone": "New York", "language": "de", "csrfmiddlewaretoken": token}
    answer = browser.post("/people/preferences/", form, headers=OWN)
    assert answer.status_code == 403
    words = unescape(answer.content.decode())
    assert "Nothing was sent, because you are signed out." in words
    assert 'href="/account/login/"' in words and 'target="_blank"' in words

    # Signing in, in the other tab, changes the token, so the page is shown once more.
    signing_in = {"login": "Annabel", "password": PASSWORD, "csrfmiddlewaretoken": token}
    assert browser.post("/account/login/", signing_in, headers=OWN).status_code == 302
    again = browser.post("/people/preferences/", offered(answer), headers=OWN)
    assert again.status_code == 403 and "Nothing was sent" in again.content.decode()
    sent = browser.post("/people/preferences/", offered(again), headers=OWN)
    assert sent.status_code == 302
    ann.refresh_from_db()
    assert (ann.zone, ann.language) == ("America/New_York", "de")


def test_a_note_is_offered_completely_when_its_token_is_old(who: People, match: Match) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(who.alice)
    answer = browser.post(f"/match/{match.pk}/note/", {"note": NOTE, "seen": "x"}, headers=OWN)
    assert answer.status_code == 403
    assert offered(answer)["note"] == NOTE
    done = browser.post(f"/match/{match.pk}/note/", offered(answer), headers=OWN)
    assert done.status_code == 302
    player = Player.objects.get(match=match, user=who.alice)
    assert notebooks.read(player.pk).note.split() == NOTE.split()
    assert len(NOTE) < notes.MAX_NOTE_CHARACTERS


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_form_of_another_site_is_not_offered(
    who: People, match: Match, headers: dict[str, str]
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(who.alice)
    answer = browser.post(f"/match/{match.pk}/note/", {"note": "gotcha"}, headers=headers)
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "Nothing was sent" in page and "gotcha" not in page


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 302), (None, 302)]
)
def test_another_site_cannot_send_a_form_even_with_a_token(
    who: People, match: Match, site: str | None, status: int
) -> None:
    browser = Client(headers={"Sec-Fetch-Site": site} if site else {})
    browser.force_login(who.alice)
    assert browser.get(f"/match/{match.pk}/").status_code == 200
    answer = browser.post(f"/match/{match.pk}/note/", {"note": "gotcha", "ply": match.ply})
    assert answer.status_code == status
    kept = notebooks.read(Player.objects.get(match=match, user=who.alice).pk).note
    assert kept == ("gotcha" if status == 302 else "")


@pytest.mark.parametrize("path", ["/account/login/", "/account/password/change/"])
def test_a_password_is_never_in_the_page(ann: User, browser: Client, path: str) -> None:
    form = {"login": "Annabel", "password": "s3same open", "oldpassword": "s3same open"}
    answer = browser.post(path, form, headers=OWN)
    page = answer.content.decode()
    assert answer.status_code == 403 and "s3same" not in page
    assert f'href="{path}"' in page


def test_a_file_has_to_be_chosen_again(ann: User, browser: Client) -> None:
    browser.force_login(ann)
    file = SimpleUploadedFile("game.txt", b"x")
    answer = browser.post("/archive/records/new/", {"text": "", "file": file}, headers=OWN)
    assert answer.status_code == 403
    page = answer.content.decode()
    assert 'type="file" name="file"' in page and "multipart/form-data" in page


def test_an_empty_form_redirects_to_the_sign_in(client: Client) -> None:
    answer = client.post("/people/sessions/", {"csrfmiddlewaretoken": "x"})
    assert answer.status_code == 302 and answer["Location"].startswith("/account/login/?next=")


def test_a_member_of_staff_whose_session_ended_keeps_the_form(client: Client) -> None:
    answer = client.post("/admin/auth/group/add/", {"name": "Umpires of the west"})
    assert answer.status_code == 403
    assert offered(answer)["name"] == "Umpires of the west"


def test_signing_in_itself_works_as_before(visitor: Client, ann: User) -> None:
    assert sign_in(visitor, "Annabel").status_code == 302
