import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.test import Client

from accounts.models import User
from accounts.staff import StaffSite
from tests.accounts.conftest import PASSWORD, sign_in

PEOPLE = "/admin/accounts/user/"


@pytest.fixture
def office(client, boss, settings):
    """The browser of somebody who works in the office."""
    settings.STAFF_NEEDS_MFA = False
    client.force_login(boss)
    return client


def test_there_is_one_admin_and_it_has_no_log_in_of_its_own(client, db):
    assert isinstance(admin.site, StaffSite)
    answer = client.get("/admin/")
    assert answer.url == "/admin/login/?next=/admin/"
    assert client.get(answer.url).url == "/account/login/?next=/admin/"


def test_players_are_not_staff(client, ann):
    client.force_login(ann)
    assert client.get("/admin/", follow=True).status_code == 403


def test_staff_set_up_a_second_factor_first(client, boss, settings):
    settings.STAFF_NEEDS_MFA = True
    client.force_login(boss)
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/account/2fa/"
    assert "asks for a second factor" in answer.content.decode()
    assert client.get(PEOPLE).status_code == 302

    Authenticator.objects.create(user=boss, type="totp", data={})
    assert client.get(PEOPLE).status_code == 200


def test_recovery_codes_alone_are_no_second_factor(client, boss, settings):
    settings.STAFF_NEEDS_MFA = True
    client.force_login(boss)
    Authenticator.objects.create(user=boss, type="recovery_codes", data={})
    assert client.get(PEOPLE).status_code == 302


def test_passwords_and_leave_taking_go_by_the_ordinary_pages(office):
    assert office.get("/admin/password_change/").url == "/account/password/change/"
    assert office.post("/admin/logout/").url == "/account/logout/"


def test_people_are_found_by_handle_and_address(office, ann):
    for query in ("annab", "ann@example"):
        assert "Annabel" in office.get(PEOPLE, {"q": query}).content.decode()
    assert "Annabel" not in office.get(PEOPLE, {"q": "zzz"}).content.decode()


def test_people_are_turned_away_and_let_in_again(office, ann):
    for action, active in (("turn_away", False), ("let_in", True)):
        office.post(PEOPLE, {"action": action, "_selected_action": [ann.pk]})
        ann.refresh_from_db()
        assert ann.is_active is active


def test_nobody_shuts_themselves_out(office, boss):
    for action in ("turn_away", "anonymise"):
        office.post(PEOPLE, {"action": action, "_selected_action": [boss.pk]})
    boss.refresh_from_db()
    assert boss.is_active
    assert boss.username == "Berthier"


def test_people_are_forgotten_and_stay_so(office, ann):
    office.post(PEOPLE, {"action": "anonymise", "_selected_action": [ann.pk]})
    office.post(PEOPLE, {"action": "let_in", "_selected_action": [ann.pk]})
    ann.refresh_from_db()
    assert ann.is_former
    assert not ann.is_active


def test_nobody_is_deleted(office, ann):
    assert office.get(f"{PEOPLE}{ann.pk}/delete/").status_code == 403
    assert "delete_selected" not in office.get(PEOPLE).content.decode()


def test_the_office_keeps_the_rules_of_handles(office, ann):
    form = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    for handle, sentence in (("An-nabel", "looks like Annabel"), ("=cmd", "A handle has")):
        page = office.post(f"{PEOPLE}add/", form | {"username": handle, "email": "n@example.org"})
        assert sentence in page.content.decode()
    office.post(f"{PEOPLE}add/", form | {"username": "Ney", "email": "Ney@example.org"})
    ney = User.objects.get(username="Ney")
    assert EmailAddress.objects.get(user=ney).verified
    newcomer = Client()
    sign_in(newcomer, "ney@example.org")
    assert newcomer.get("/people/preferences/").status_code == 200


@pytest.mark.parametrize(
    ("handle", "email"),
    [("Ney", "ann@example.org"), ("Ney", "Ann@Example.org"), ("ANNABEL", "ney@example.org")],
)
def test_whoever_is_here_already_is_not_added_again(office, ann, handle, email):
    fields = {"username": handle, "email": email, "usable_password": "false"}
    page = office.post(f"{PEOPLE}add/", fields)
    assert page.status_code == 200
    assert page.context["errors"]
    assert User.objects.filter(is_staff=False).get() == ann


def test_the_office_cannot_put_itself_in_a_players_place(office, ann):
    """By a password or an address of its own it would come to see what the player sees."""
    password = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    before = User.objects.get(pk=ann.pk).password
    assert office.get(f"{PEOPLE}{ann.pk}/password/").status_code == 403
    assert office.post(f"{PEOPLE}{ann.pk}/password/", password).status_code == 403
    assert User.objects.get(pk=ann.pk).password == before
    assert "../password/" not in office.get(f"{PEOPLE}{ann.pk}/change/").content.decode()
    address = EmailAddress.objects.get(user=ann)
    theirs = f"/admin/account/emailaddress/{address.pk}/change/"
    assert office.get(theirs).status_code == 200
    fields = {"user": ann.pk, "email": "boss@example.org", "verified": "on", "primary": "on"}
    assert office.post(theirs, fields).status_code == 403
    assert office.post("/admin/account/emailaddress/add/", fields).status_code == 403
    address.refresh_from_db()
    assert address.email == "ann@example.org"


@pytest.mark.parametrize("towards", ["abc", "99999", "//elsewhere.example", "/archive/"])
def test_whoever_is_in_the_office_is_led_on_by_its_log_in(office, towards):
    assert office.get("/admin/login/", {"next": towards}).status_code == 302


def test_a_person_can_be_kept_as_they_are(office, ann):
    page = office.get(f"{PEOPLE}{ann.pk}/change/")
    form = page.context["adminform"].form
    data = {name: value for name, value in form.initial.items() if value not in (None, False)}
    data |= {"username": "Annabel", "theme": "dark", "groups": [], "user_permissions": []}
    answer = office.post(f"{PEOPLE}{ann.pk}/change/", data)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    ann.refresh_from_db()
    assert (ann.theme, ann.email) == ("dark", "ann@example.org")


def test_the_office_takes_a_lost_factor_away_and_puts_none_in_its_place(office, ann):
    factor = Authenticator.objects.create(user=ann, type="totp", data={"secret": "sealed-words"})
    url = f"/admin/mfa/authenticator/{factor.pk}/"
    assert "sealed-words" not in office.get(f"{url}change/").content.decode()
    assert office.post(f"{url}change/", {"data": "{}"}).status_code == 403
    assert office.get("/admin/mfa/authenticator/add/").status_code == 403
    office.post(f"{url}delete/", {"post": "yes"})
    assert not Authenticator.objects.exists()


def test_the_office_reads_of_sessions_but_not_their_keys(office, ann):
    client = Client()
    sign_in(client, "Annabel")
    session = UserSession.objects.get(user=ann)
    page = office.get(f"/admin/usersessions/usersession/{session.pk}/change/").content.decode()
    assert session.session_key not in page
    assert "127.0.0.1" in page


def test_no_page_of_the_office_shows_a_password_or_its_hash(office, ann):
    page = office.get(f"{PEOPLE}{ann.pk}/change/").content.decode()
    assert ann.password not in page
    assert ann.password.split("$")[-1] not in page
