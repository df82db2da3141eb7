"""Preferences of language, time zone and colours, and their defaults for visitors."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from accounts.middleware import preferences
from accounts.models import User
from accounts.values import time_zones
from tests.accounts.conftest import sign_in

FORM = {"zone": "America/Sao_Paulo", "language": "fr", "theme": "dark"}


def test_preferences_are_saved(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert client.post("/people/preferences/", FORM)["Location"] == "/people/preferences/"
    ann.refresh_from_db()
    assert (ann.zone, ann.language, ann.theme) == ("America/Sao_Paulo", "fr", "dark")


def test_preferences_apply_to_every_page(client: Client, ann: User) -> None:
    client.force_login(ann)
    page = client.post("/people/preferences/", FORM, follow=True)
    assert '<html lang="fr" dir="ltr" data-theme="dark">' in page.content.decode()
    assert page.headers["Content-Language"] == "fr"


@pytest.mark.parametrize(
    "wrong", [{"zone": "Mars/Base"}, {"zone": ""}, {"language": "tlh"}, {"theme": "plaid"}]
)
def test_unknown_values_are_refused(client: Client, ann: User, wrong: dict[str, str]) -> None:
    client.force_login(ann)
    assert client.post("/people/preferences/", FORM | wrong).status_code == 200
    ann.refresh_from_db()
    assert ann.language == ""


def test_preferences_are_for_signed_in_users_only(client: Client, db: None) -> None:
    assert client.get("/people/preferences/")["Location"].startswith("/account/login/?next=")


def test_a_form_cannot_give_permissions(client: Client, ann: User) -> None:
    client.force_login(ann)
    client.post("/people/preferences/", FORM | {"is_staff": "on", "username": "Boss", "email": "x"})
    ann.refresh_from_db()
    assert (ann.is_staff, ann.username, ann.email) == (False, "Annabel", "ann@example.org")


def test_every_time_zone_is_in_the_list() -> None:
    listed = re.findall('<option value="([^"]+)">', time_zones.datalist("zones"))
    assert set(listed) == time_zones.names() and listed == sorted(listed)
    assert {"Europe/Paris", "Asia/Taipei", "America/New_York"} <= time_zones.names()
    assert not {"US/Pacific", "EST", "Etc/GMT+5", "Factory", "localtime"} & time_zones.names()


def read(user: User | None = None, **headers: str) -> tuple[dict[str, str], HttpResponse]:
    """A page's reader, and the language and zone that were active for it."""
    preferred: dict[str, str] = {}

    def page(request: HttpRequest) -> HttpResponse:
        preferred.update(
            language=translation.get_language(), zone=timezone.get_current_timezone_name()
        )
        return HttpResponse()

    request = RequestFactory().get("/", headers=headers)
    request.user = user or AnonymousUser()
    response = preferences(page)(request)
    return preferred, response


def test_a_page_has_its_readers_language_and_time_zone(ann: User) -> None:
    ann.language, ann.zone = "de", "Europe/Berlin"
    preferred, response = read(ann, accept_language="fr")
    assert preferred == {"language": "de", "zone": "Europe/Berlin"}
    assert response.headers["Content-Language"] == "de"
    assert "Accept-Language" not in response.headers.get("Vary", "")


def test_without_a_preference_the_browsers_language_is_used(ann: User) -> None:
    preferred, response = read(ann, accept_language="zh-TW,zh;q=0.8")
    assert preferred == {"language": "zh-hant", "zone": "UTC"}
    assert response.headers["Vary"] == "Accept-Language"


def test_a_visitor_gets_the_browsers_language_too() -> None:
    preferred, response = read(accept_language="fr-BE")
    assert preferred["language"] == "fr"
    assert response.headers["Content-Language"] == "fr"


def test_no_language_or_time_zone_remains_for_the_next_reader(ann: User) -> None:
    ann.language, ann.zone = "de", "Asia/Tokyo"
    before = translation.get_language(), timezone.get_current_timezone_name()
    read(ann)
    assert (translation.get_language(), timezone.get_current_timezone_name()) == before


def test_a_page_costs_a_query_for_session_and_user(
    client: Client, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sign_in(client, "Annabel")
    client.get("/account/inactive/")
    with django_assert_num_queries(1):
        # A page without the frame, which counts waiting matches.
        client.get("/account/login/")


def test_a_visitors_page_costs_no_query(
    client: Client, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.get("/account/login/")
