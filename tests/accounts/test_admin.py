"""The admin of accounts: who may open it, and actions on accounts with a reason."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.test import Client
from pytest_django import Settings

from accounts.models import Session, User
from accounts.sign_in.admin_site import StaffSite
from tests.accounts.conftest import PASSWORD, is_in, sign_in

PEOPLE = "/admin/accounts/user/"


@pytest.fixture
def staff(client: Client, boss: User, settings: Settings) -> Client:
    """The browser of a member of staff."""
    settings.STAFF_NEEDS_MFA = False
    client.force_login(boss)
    return client


def test_there_is_one_admin_and_it_has_no_log_in_of_its_own(client: Client, db: None) -> None:
    assert isinstance(admin.site, StaffSite)
    answer = client.get("/admin/")
    assert answer["Location"] == "/admin/login/?next=/admin/"
    assert client.get(answer["Location"])["Location"] == "/account/login/?next=/admin/"


def test_players_are_not_staff(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert client.get("/admin/", follow=True).status_code == 403


def test_staff_set_up_a_second_factor_first(client: Client, boss: User, settings: Settings) -> None:
    settings.STAFF_NEEDS_MFA = True
    client.force_login(boss)
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/account/2fa/"
    assert "require two-factor authentication" in answer.content.decode()
    assert client.get(PEOPLE).status_code == 302


def test_recovery_codes_alone_are_no_second_factor(
    client: Client, boss: User, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = True
    client.force_login(boss)
    Authenticator.objects.create(user=boss, type="recovery_codes", data={})
    assert client.get(PEOPLE).status_code == 302


def test_password_and_log_out_pages_are_the_ordinary_ones(staff: Client) -> None:
    assert staff.get("/admin/password_change/")["Location"] == "/account/password/change/"
    assert staff.post("/admin/logout/")["Location"] == "/account/logout/"


def test_users_are_found_by_username_and_address(staff: Client, ann: User) -> None:
    for query in ("annab", "ann@example"):
        assert "Annabel" in staff.get(PEOPLE, {"q": query}).content.decode()
    assert "Annabel" not in staff.get(PEOPLE, {"q": "zzz"}).content.decode()


def act(
    browser: Client, action: str, *rows: Model, url: str = PEOPLE, reason: str = "A complaint."
) -> list[str]:
    """The page's messages after an action with a reason."""
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    answer = browser.post(url, {**chosen, "apply": "yes", "reason": reason}, follow=True)
    return [str(message) for message in answer.context["messages"]]


def history(row: Model) -> list[str]:
    entries = LogEntry.objects.filter(object_id=str(row.pk)).order_by("pk")
    return [entry.get_change_message() for entry in entries]


def test_users_are_blocked_and_unblocked_for_a_reason(staff: Client, ann: User) -> None:
    theirs = Client()
    sign_in(theirs, "Annabel")
    assert act(staff, "block", ann) == ["Annabel: Blocked: A complaint."]
    assert not User.objects.get(pk=ann.pk).is_active
    assert not Session.objects.filter(user=ann).exists()
    assert act(staff, "block", ann) == ["Annabel: blocked already."]
    assert act(staff, "unblock", ann) == ["Annabel: Unblocked: A complaint."]
    assert User.objects.get(pk=ann.pk).is_active
    assert history(ann) == ["Blocked: A complaint.", "Unblocked: A complaint."]
    assert theirs.get("/people/preferences/").status_code == 302


def test_an_action_shows_its_effects_and_asks_for_a_reason(
    staff: Client, ann: User, boss: User
) -> None:
    chosen = {"action": "block", "_selected_action": [ann.pk, boss.pk]}
    for sent in (chosen, {**chosen, "apply": "yes", "reason": " "}):
        page = staff.post(PEOPLE, sent).content.decode()
        assert "They are signed out everywhere and can no longer sign in." in page
        assert "<li>Annabel<" in page
        assert "<li>Berthier – skipped: that is you." in page
        assert 'name="reason"' in page
    assert User.objects.get(pk=ann.pk).is_active


def test_a_player_is_signed_out_everywhere(staff: Client, ann: User) -> None:
    browsers = [Client(), Client()]
    for browser in browsers:
        sign_in(browser, "Annabel")
    assert act(staff, "sign_out", ann) == ["Annabel: Signed out everywhere: A complaint."]
    assert not any(map(is_in, browsers))
    sign_in(browsers[0], "Annabel")
    assert is_in(browsers[0])


def test_actions_are_in_the_security_log_without_the_reason(
    staff: Client, ann: User, boss: User, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "accounts.security"):
        act(staff, "block", ann, boss)
    assert [one.getMessage() for one in caplog.records if one.name == "accounts.security"] == [
        f"did block of accounts.User {ann.pk}: user {boss.pk} from 127.0.0.1",
        f"was refused block of accounts.User {boss.pk}: user {boss.pk} from 127.0.0.1",
    ]


@pytest.mark.parametrize("numbers", [["x"], ["9" * 30], ["-1"], ["1", ""], ["1' OR 1=1"]])
def test_invalid_rows_are_refused_with_a_sentence(staff: Client, ann: User, numbers: Any) -> None:
    chosen = {"action": "block", "_selected_action": numbers, "apply": "yes", "reason": "x"}
    assert "There is no such row." in staff.post(PEOPLE, chosen, follow=True).content.decode()


def test_the_account_of_a_house_opponent_can_be_read_and_not_changed(staff: Client) -> None:
    house = User.objects.create_confirmed("House-Recruit", "", house_level="recruit")
    page = f"{PEOPLE}{house.pk}/change/"
    assert "House-Recruit" in staff.get(page).content.decode()
    fields = {"username": "Bobby", "zone": "UTC", "is_staff": "on"}
    assert staff.post(page, fields).status_code == 403
    house.refresh_from_db()
    assert (house.username, house.is_staff) == ("House-Recruit", False)


def test_no_action_touches_a_house_opponent(staff: Client) -> None:
    house = User.objects.create_confirmed("House-Recruit", "", house_level="recruit")
    for action in ("block", "unblock", "sign_out", "erase_accounts"):
        [messages] = act(staff, action, house)
        assert (
            messages
            == "House-Recruit: computer opponents stay as they are: matches depend on them."
        )
    house.refresh_from_db()
    assert (house.is_active, house.username) == (True, "House-Recruit")


def test_staff_cannot_block_themselves(staff: Client, boss: User) -> None:
    for action in ("block", "erase_accounts", "sign_out"):
        assert act(staff, action, boss) == ["Berthier: that is you."]
    boss.refresh_from_db()
    assert boss.is_active
    assert boss.username == "Berthier"


def test_an_erased_account_stays_erased(staff: Client, ann: User) -> None:
    act(staff, "erase_accounts", ann)
    assert act(staff, "unblock", ann) == [f"former-player-{ann.pk}: not blocked."]
    ann.refresh_from_db()
    assert not LogEntry.objects.filter(object_repr__contains="Annabel").exists()
    assert ann.is_former
    assert not ann.is_active


def test_no_user_can_be_deleted(staff: Client, ann: User) -> None:
    assert staff.get(f"{PEOPLE}{ann.pk}/delete/").status_code == 403
    assert "delete_selected" not in staff.get(PEOPLE).content.decode()


def test_staff_keep_the_rules_of_usernames(staff: Client, ann: User) -> None:
    form = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    for handle, sentence in (
        ("An-nabel", "looks too much like Annabel"),
        ("=cmd", "A username has"),
    ):
        page = staff.post(f"{PEOPLE}add/", form | {"username": handle, "email": "n@example.org"})
        assert sentence in page.content.decode()
    staff.post(f"{PEOPLE}add/", form | {"username": "Ney", "email": "Ney@example.org"})
    ney = User.objects.get(username="Ney")
    assert EmailAddress.objects.get(user=ney).verified
    newcomer = Client()
    sign_in(newcomer, "ney@example.org")
    assert newcomer.get("/people/preferences/").status_code == 200


@pytest.mark.parametrize(
    ("handle", "email"),
    [("Ney", "ann@example.org"), ("Ney", "Ann@Example.org"), ("ANNABEL", "ney@example.org")],
)
def test_a_known_username_or_address_is_not_added_again(
    staff: Client, ann: User, handle: str, email: str
) -> None:
    fields = {"username": handle, "email": email, "usable_password": "false"}
    page = staff.post(f"{PEOPLE}add/", fields)
    assert page.status_code == 200
    assert page.context["errors"]
    assert User.objects.filter(is_staff=False).get() == ann


def test_staff_cannot_sign_in_as_a_player(staff: Client, ann: User) -> None:
    """With a new password or address, staff could see what the player sees."""
    password = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    before = User.objects.get(pk=ann.pk).password
    assert staff.get(f"{PEOPLE}{ann.pk}/password/").status_code == 403
    assert staff.post(f"{PEOPLE}{ann.pk}/password/", password).status_code == 403
    assert User.objects.get(pk=ann.pk).password == before
    assert "../password/" not in staff.get(f"{PEOPLE}{ann.pk}/change/").content.decode()
    address = EmailAddress.objects.get(user=ann)
    theirs = f"/admin/account/emailaddress/{address.pk}/change/"
    assert staff.get(theirs).status_code == 200
    fields = {"user": ann.pk, "email": "boss@example.org", "verified": "on", "primary": "on"}
    assert staff.post(theirs, fields).status_code == 403
    assert staff.post("/admin/account/emailaddress/add/", fields).status_code == 403
    address.refresh_from_db()
    assert address.email == "ann@example.org"


@pytest.mark.parametrize("towards", ["abc", "99999", "//elsewhere.example", "/archive/"])
def test_signed_in_staff_are_redirected_by_the_admins_log_in(staff: Client, towards: str) -> None:
    assert staff.get("/admin/login/", {"next": towards}).status_code == 302


def test_a_username_cannot_be_changed(staff: Client, ann: User) -> None:
    page = staff.get(f"{PEOPLE}{ann.pk}/change/").content.decode()
    assert 'name="username"' not in page and "Annabel" in page
    staff.post(f"{PEOPLE}{ann.pk}/change/", {"username": "Ney", "zone": "UTC"})
    ann.refresh_from_db()
    assert (ann.username, ann.zone) == ("Annabel", "UTC")


def test_a_user_can_be_saved_unchanged(staff: Client, ann: User) -> None:
    page = staff.get(f"{PEOPLE}{ann.pk}/change/")
    form = page.context["adminform"].form
    data = {name: value for name, value in form.initial.items() if value not in (None, False)}
    data |= {"username": "Annabel", "theme": "dark", "groups": [], "user_permissions": []}
    answer = staff.post(f"{PEOPLE}{ann.pk}/change/", data)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    ann.refresh_from_db()
    assert (ann.theme, ann.email) == ("dark", "ann@example.org")


def test_staff_remove_a_lost_factor_and_add_none(staff: Client, ann: User) -> None:
    factor = Authenticator.objects.create(user=ann, type="totp", data={"secret": "sealed-words"})
    url = f"/admin/mfa/authenticator/{factor.pk}/"
    assert "sealed-words" not in staff.get(f"{url}change/").content.decode()
    assert staff.post(f"{url}change/", {"data": "{}"}).status_code == 403
    assert staff.get("/admin/mfa/authenticator/add/").status_code == 403
    assert staff.post(f"{url}delete/", {"post": "yes"}).status_code == 403
    messages = act(staff, "remove", factor, url="/admin/mfa/authenticator/", reason="Lost.")
    assert messages == ["Annabel: TOTP Authenticator: Removed: Lost."]
    assert not Authenticator.objects.exists()
    assert history(factor) == ["Removed: Lost."]


def test_no_page_of_the_admin_shows_a_password_or_its_hash(staff: Client, ann: User) -> None:
    page = staff.get(f"{PEOPLE}{ann.pk}/change/").content.decode()
    assert ann.password not in page
    assert ann.password.split("$")[-1] not in page
