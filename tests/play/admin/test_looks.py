"""Admin pages of looks: a second factor at each step, two people, one page for an hour."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.sign_in.second_factors import note_enrolment
from games.play.models.look import Look
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from lib.db_clock import now
from tests.play import match_helpers
from tests.play.match_helpers import as_is

pytestmark = pytest.mark.django_db

MATCHES, LOOKS = "/admin/play/match/", "/admin/play/look/"
REASON = "A report says that pieces changed."


def steward(name: str) -> User:
    user = match_helpers.person(name, is_staff=True)
    names = ("break_seal", "view_match")
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return user


def browser_of(user: User, *, with_factor: bool = True) -> Client:
    """A signed-in browser; with a second factor, unless it is left out."""
    client = Client()
    client.force_login(user)
    if with_factor:
        factor = Authenticator.objects.create(user=user, type="totp", data={"secret": "sealed"})
        request = HttpRequest()
        request.user, request.session = user, client.session
        note_enrolment(request, factor)
        request.session.save()
    return client


@pytest.fixture
def ney(db: None) -> Client:
    return browser_of(steward("Ney"))


@pytest.fixture
def soult(db: None) -> Client:
    return browser_of(steward("Soult"))


def page_messages(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def ask(client: Client, match: Match) -> list[str]:
    fields = {"action": "ask_to_look", "_selected_action": match.pk, "apply": "yes"}
    return page_messages(client.post(MATCHES, {**fields, "reason": REASON}, follow=True))


def agree(client: Client, look: Look) -> list[str]:
    fields = {"action": "agree", "_selected_action": look.pk, "apply": "yes"}
    return page_messages(client.post(LOOKS, {**fields, "reason": "I agree."}, follow=True))


def test_two_stewards_agree_and_the_first_sees_both_armies(
    match: Match, ney: Client, soult: Client
) -> None:
    assert ask(ney, match) == [f"Match {match.pk}: Asked to see both armies: {REASON}"]
    look = Look.objects.get()
    assert as_is(match).looks == 0
    assert ney.get(f"{LOOKS}{look.pk}/position/").status_code == 403
    assert ["Agreed: I agree." in line for line in agree(soult, look)] == [True]
    page = ney.get(f"{LOOKS}{look.pk}/position/")
    html = page.content.decode()
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    assert REASON in html
    assert "?" not in html.partition("<pre>")[2].partition("</pre>")[0]
    assert f"{LOOKS}{look.pk}/position/" in ney.get(LOOKS).content.decode()
    refused = soult.get(f"{LOOKS}{look.pk}/position/")
    assert refused.status_code == 403
    assert "Only who asked for it can see the position." in refused.content.decode()
    assert "<pre>" not in refused.content.decode()
    Look.objects.update(agreed_at=now() - timedelta(hours=1))
    late = ney.get(f"{LOOKS}{look.pk}/position/")
    assert late.status_code == 403
    assert "<pre>" not in late.content.decode()
    assert f"{LOOKS}{look.pk}/position/" not in ney.get(LOOKS).content.decode()


def test_players_read_who_looked_and_why(match: Match, ney: Client, soult: Client) -> None:
    ask(ney, match)
    agree(soult, Look.objects.get())
    words = "Ney looked at both armies, and Soult agreed to it"
    for path in (f"/match/{match.pk}/", f"/match/{match.pk}/proof/"):
        html = Client().get(path).content.decode()
        assert words in html
        assert REASON in html


@pytest.mark.parametrize("needed", [True, False])
def test_each_step_needs_a_second_factor(
    match: Match, ney: Client, soult: Client, settings: Settings, needed: bool
) -> None:
    settings.STAFF_NEEDS_MFA = needed
    bare = {
        name: browser_of(User.objects.get(username=name), with_factor=False)
        for name in ("Ney", "Soult")
    }
    fields = {"action": "ask_to_look", "_selected_action": match.pk, "apply": "yes"}
    bare["Ney"].post(MATCHES, {**fields, "reason": REASON})
    assert not Look.objects.exists()
    ask(ney, match)
    look = Look.objects.get()
    fields = {"action": "agree", "_selected_action": look.pk, "apply": "yes"}
    bare["Soult"].post(LOOKS, {**fields, "reason": "I agree."})
    assert as_is(match).looks == 0
    agree(soult, look)
    assert as_is(match).looks == 1
    assert bare["Ney"].get(f"{LOOKS}{look.pk}/position/").status_code in (302, 403)


def test_a_superuser_who_plays_is_refused(match: Match, ney: Client, soult: Client) -> None:
    ask(ney, match)
    look = Look.objects.get()
    User.objects.filter(username="Soult").update(is_superuser=True)
    Player.objects.filter(match=match, seat=0).update(user=User.objects.get(username="Soult"))
    (line,) = agree(soult, look)
    assert "Players of the match may not look into it." in line
    assert not Ply.objects.filter(kind="look").exists()
    (line,) = ask(soult, match)
    assert "you play in it yourself" in line


def test_staff_without_the_permission_find_neither_action_nor_page(
    match: Match, ney: Client, soult: Client
) -> None:
    ask(ney, match)
    agree(soult, Look.objects.get())
    other = match_helpers.person("Lannes", is_staff=True)
    other.user_permissions.set(Permission.objects.filter(codename="view_match"))
    client = browser_of(other)
    assert "ask_to_look" not in client.get(MATCHES).content.decode()
    assert client.get(LOOKS).status_code == 403
    look = Look.objects.get()
    assert client.get(f"{LOOKS}{look.pk}/position/").status_code == 403
    assert client.get(f"{LOOKS}999/position/").status_code == 404
