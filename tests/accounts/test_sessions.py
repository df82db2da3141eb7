import time

import time_machine
from allauth.usersessions.models import UserSession
from django.test import Client

from tests.accounts.conftest import is_in, sign_in


def test_every_session_is_listed_with_place_and_browser(ann):
    here = Client(headers={"User-Agent": "Lynx/2.8"})
    there = Client(REMOTE_ADDR="203.0.113.7", headers={"User-Agent": "Mosaic/1.0"})
    sign_in(here, "Annabel")
    sign_in(there, "Annabel")
    page = here.get("/account/sessions/").content.decode()
    assert "Lynx/2.8" in page
    assert "Mosaic/1.0" in page
    assert "203.0.113.7" in page


def test_the_others_can_be_ended(ann):
    here, there = Client(), Client()
    sign_in(here, "Annabel")
    sign_in(there, "Annabel")
    here.post("/account/sessions/")
    assert here.get("/people/preferences/").status_code == 200
    assert there.get("/people/preferences/").status_code == 302


def test_the_list_is_written_once_in_ten_minutes_at_most(client, ann, django_assert_num_queries):
    sign_in(client, "Annabel")
    with django_assert_num_queries(2):
        client.get("/account/login/")
    before = UserSession.objects.get().last_seen_at
    with time_machine.travel(time.time() + 601, tick=True):
        client.get("/account/login/", REMOTE_ADDR="203.0.113.9")
        with django_assert_num_queries(2):
            client.get("/account/login/")
    session = UserSession.objects.get()
    assert session.last_seen_at > before
    assert session.ip == "203.0.113.9"


def test_a_session_lasts_from_the_last_visit(client, ann):
    sign_in(client, "Annabel")
    start = time.time()
    day = 24 * 3600
    for days in (20, 40, 60):
        with time_machine.travel(start + days * day, tick=True):
            assert client.get("/people/preferences/").status_code == 200
    with time_machine.travel(start + 91 * day, tick=True):
        assert client.get("/people/preferences/").status_code == 302


def test_a_new_password_ends_the_other_sessions_and_keeps_this_one(ann):
    here, there = Client(), Client()
    sign_in(here, "Annabel")
    sign_in(there, "Annabel")
    form = {"oldpassword": "troop of foxes", "password1": "herd of horses"}
    here.post("/account/password/change/", form | {"password2": "herd of horses"})
    assert here.get("/people/preferences/").status_code == 200
    assert there.get("/people/preferences/").status_code == 302
    assert is_in(here)
