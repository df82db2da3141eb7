"""Idempotency keys of match forms: a form sent twice acts once, with the same response."""

import re

import pytest
from django.conf import settings
from django.test import Client

from games.outbox import idempotency
from games.outbox.models import StoredResponse
from games.play.models.match import Match
from games.play.models.ply import Ply
from tests.play import forms, match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

TEMPLATES = settings.BASE_DIR / "templates"
KEY = re.compile(r'name="once" value="([0-9a-f]{32})"')


@pytest.fixture
def alice(who: People) -> Client:
    return forms.client_of(who.alice)


def form(client: Client, match: Match, move: str) -> dict[str, str]:
    """What the page's own form would send."""
    return {"move": move, "ply": match.ply, "once": KEY.findall(forms.page(client, match))[-1]}


def test_a_move_sent_twice_is_answered_as_the_first_time(alice: Client, match: Match) -> None:
    sent = form(alice, match, "a4-a5")
    answers = [alice.post(f"/match/{match.pk}/move/", sent) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {302}
    assert {answer["Location"] for answer in answers} == {f"/match/{match.pk}/"}
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert "it counts only once" in forms.page(alice, match)


def test_the_same_form_much_later_is_still_answered_so(
    alice: Client, who: People, match: Match
) -> None:
    sent = form(alice, match, "a4-a5")
    alice.post(f"/match/{match.pk}/move/", sent)
    match_helpers.play(match, "j7-j6", "a5-a6")
    again = alice.post(f"/match/{match.pk}/move/", sent)
    assert (again.status_code, again["Location"]) == (302, f"/match/{match.pk}/")


def test_the_same_key_with_another_move_is_refused(alice: Client, match: Match) -> None:
    sent = form(alice, match, "a4-a5")
    alice.post(f"/match/{match.pk}/move/", sent)
    other = alice.post(f"/match/{match.pk}/move/", sent | {"move": "b4-b5"})
    assert other.status_code == 422
    assert "was already sent" in other.content.decode()
    assert Ply.objects.filter(match=match).count() == match.ply + 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("zone", "status"), [("UTC", 302), ("Europe/Paris", 422)])
def test_who_comes_second_of_two_at_once_is_answered_as_if_later(
    alice: Client, monkeypatch: pytest.MonkeyPatch, zone: str, status: int
) -> None:
    sent = {"zone": "UTC", "language": "", "theme": "", "once": "f" * 32}
    assert alice.post("/people/preferences/", sent).status_code == 302
    # The first has not been answered yet when the second looks.
    looks = [idempotency.stored_response, lambda slip: None]
    monkeypatch.setattr(idempotency, "stored_response", lambda slip: looks.pop()(slip))
    assert alice.post("/people/preferences/", {**sent, "zone": zone}).status_code == status


def test_a_refused_move_may_be_mended_and_sent_again(alice: Client, match: Match) -> None:
    sent = form(alice, match, "a4-a9")
    assert alice.post(f"/match/{match.pk}/move/", sent).status_code == 422
    assert alice.post(f"/match/{match.pk}/move/", sent | {"move": "a4-a5"}).status_code == 302
    assert match_helpers.as_is(match).ply == match.ply + 1


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "with blanks and more of them"])
def test_what_is_no_key_is_refused(alice: Client, match: Match, key: str) -> None:
    sent = {"move": "a4-a5", "ply": match.ply, "once": key}
    assert alice.post(f"/match/{match.pk}/move/", sent).status_code == 422
    assert match_helpers.as_is(match).ply == match.ply


def test_each_form_of_a_page_has_a_key_of_its_own(alice: Client, match: Match) -> None:
    keys = KEY.findall(forms.page(alice, match))
    assert len(keys) == len(set(keys)) > 1


def test_resigning_twice_is_answered_alike(alice: Client, who: People) -> None:
    match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
    page = alice.get(f"/match/{match.pk}/resign/").content.decode()
    (key,) = KEY.findall(page)
    answers = [alice.post(f"/match/{match.pk}/resign/", {"once": key}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Ply.objects.filter(match=match, kind="resign").count() == 1


def test_who_resigns_twice_at_once_is_told_the_same_twice(
    alice: Client, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
    sent = {"once": "f" * 32}
    assert alice.post(f"/match/{match.pk}/resign/", sent).status_code == 302
    # The first has not acted yet when the second looks for its answer.
    view, looks = idempotency.stored_response, [lambda slip: None]
    monkeypatch.setattr(
        idempotency, "stored_response", lambda slip: (looks.pop() if looks else view)(slip)
    )
    again = alice.post(f"/match/{match.pk}/resign/", sent)
    assert (again.status_code, again["Location"]) == (302, f"/match/{match.pk}/")


def test_a_refused_resignation_says_why_each_time(alice: Client, match: Match) -> None:
    form = {"once": "f" * 32}
    for _ in range(2):
        answer = alice.post(f"/match/{match.pk}/resign/", form)
        assert answer.status_code == 422
        assert "abort the match instead" in answer.content.decode()


def test_a_form_without_a_key_acts_as_ever(alice: Client, match: Match) -> None:
    forms.send(alice, match, "a4-a5")
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert not StoredResponse.objects.exists()


def test_every_form_of_a_signed_in_reader_carries_a_key() -> None:
    for room in ("play", "lobby", "archive", "accounts", "notices", "admin"):
        for page in (TEMPLATES / room).rglob("*.html"):
            text = page.read_text()
            # Whoever unsubscribes need not be signed in, and stopping twice is stopping.
            forms_here = 0 if page.name == "unsubscribe.html" else text.count("{% csrf_token %}")
            assert text.count("{% idempotency_key %}") == forms_here, page
