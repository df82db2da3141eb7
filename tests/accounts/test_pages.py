"""Every account page obeys the content security policy and is accessible."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.people import unsubscribe
from tests.accounts.conftest import PASSWORD, sign_in, sign_up

OUTSIDE = ["login", "signup", "login/code", "password/reset", "password/reset/done", "inactive"]
INSIDE = ["email", "password/change", "logout", "reauthenticate"] + [
    f"2fa{page}" for page in ("", "/totp/activate", "/webauthn/add", "/webauthn", "/reauthenticate")
]


class Reader(HTMLParser):
    """Collects what the policy would refuse, and what a screen reader could not read or reach."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.labelled: set[str] = set()
        self.fields: dict[str, str] = {}
        self.headings = 0
        self.feed(page)

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        attrs = dict(given)
        if "style" in attrs or any(name.startswith("on") for name in attrs):
            self.refused.append(self.get_starttag_text())
        if tag == "style":
            self.refused.append(self.get_starttag_text())
        if tag == "script" and "src" not in attrs and attrs.get("type") != "application/json":
            self.refused.append(self.get_starttag_text())
        if tag == "label":
            self.labelled.add(attrs.get("for"))
        if tag == "h1":
            self.headings += 1
        is_field = tag in ("select", "textarea") or (
            tag == "input" and attrs.get("type") not in ("hidden", "submit")
        )
        if is_field and "hidden" not in attrs:
            self.fields[attrs.get("id")] = self.get_starttag_text()


def check(answer: Any) -> None:
    assert answer.status_code == 200, (answer.status_code, answer.headers.get("Location"))
    page = answer.content.decode()
    reader = Reader(page)
    assert reader.refused == []
    assert reader.headings == 1
    assert set(reader.fields) - reader.labelled == set()
    assert "javascript:" not in page
    assert re.search(r"<title>\s*\S", page)
    assert not re.search(r'tabindex="[1-9]', page)


@pytest.mark.parametrize("page", OUTSIDE)
def test_account_pages_of_a_visitor(visitor: Client, page: str) -> None:
    check(visitor.get(f"/account/{page}/"))


def test_a_form_with_errors(visitor: Client) -> None:
    check(sign_up(visitor, "", "nonsense"))
    check(sign_in(visitor, "nobody"))


@pytest.mark.parametrize("page", INSIDE)
def test_account_pages_of_a_signed_in_user(client: Client, ann: User, page: str) -> None:
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    answer = client.get(f"/account/{page}/")
    if answer.status_code == 302:
        answer = client.get(answer["Location"])
    check(answer)


def test_account_pages_of_a_user(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    for path in ("preferences", "sessions", "leave", "profile/Annabel"):
        check(client.get(f"/people/{path}/"))
    check(client.get(unsubscribe.stop_path(ann, "match")))
    check(client.post(unsubscribe.stop_path(ann, "match")))


def test_account_pages_of_flows(ann: User) -> None:
    for first, then, form in (
        ("signup", "confirm-email", {"username": "Ney", "email": "n@x.org", "password1": PASSWORD}),
        ("login/code", "login/code/confirm", {"email": "ann@example.org"}),
        ("password/reset", "password/reset/confirm", {"email": "ann@example.org"}),
    ):
        client = Client()
        assert client.post(f"/account/{first}/", form)["Location"] == f"/account/{then}/"
        check(client.get(f"/account/{then}/"))
        check(client.post(f"/account/{then}/", {"code": "XXXX-XXXX"}))


def test_too_many_requests_get_a_page_of_their_own(visitor: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    for _ in range(2):
        answer = sign_in(visitor, "nobody")
    assert answer.status_code == 429
    assert Reader(answer.content.decode()).refused == []


@pytest.mark.parametrize("page", OUTSIDE + INSIDE)
def test_no_sign_in_form_is_kept_by_a_cache(client: Client, ann: User, page: str) -> None:
    if page in INSIDE:
        sign_in(client, "Annabel")
    answer = client.get(f"/account/{page}/")
    assert "Cookie" in answer.headers.get("Vary", "") or "no-store" in answer.headers.get(
        "Cache-Control", ""
    )
