"""Permissions of staff: who may use which action of the admin, and on whom nobody may."""

from collections.abc import Callable, Collection, Iterable, Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Model
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import AccessToken, Session, User
from accounts.tokens import making
from config.roles import MODERATOR, OPERATOR, ORGANISER, ROLES
from games.competitions.tournaments.models import Entry, State, Tournament
from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationKind
from games.outbox.models import Dispatch
from games.outbox.publishing import enqueue
from games.people.models import Report
from games.play.commands import endings
from games.play.models.look import Look
from games.play.models.match import Match, Player
from games.play.models.time import Halt, HeldPlayer
from games.play.terms import Terms
from games.ratings.models import Family, Unit
from lib.db_clock import now
from tests import tiers
from tests.floors import at_least
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.ratings.results import count_at, day, finished
from tests.shared_rows import shared_rows

SUPERUSER, POWERLESS, LOOKING = "superuser", "staff without permissions", "staff who may look"
ACTORS = (MODERATOR, OPERATOR, ORGANISER, POWERLESS, LOOKING, SUPERUSER)
TERMS = Terms("lattaque-en")


class Scene(NamedTuple):
    """A row of each model with actions; `people` are players and not staff."""

    people: People
    match: Match
    rows: dict[type[Model], Model]


@pytest.fixture(scope="module")
def laid_out(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    with shared_rows(django_db_blocker):
        yield lay_out()


@pytest.fixture
def scene(laid_out: Scene, db: None) -> Scene:
    return deepcopy(laid_out)


def lay_out() -> Scene:
    who = match_helpers.people()
    match = match_helpers.running_match(who)
    invitation = lobby.offer(who.alice, TERMS, kind=InvitationKind.SEAT)
    with transaction.atomic():
        enqueue("notify", "match-over", user=who.alice, match=match.pk)
    tournament = Tournament.objects.create(
        title="Spring",
        preset="lattaque-en",
        pace="3d",
        setup_pace="5d",
        state=State.OPEN,
        opens_at=now(),
        closes_at=now() + timedelta(days=7),
    )
    entry = Entry.objects.create(tournament=tournament, user=who.alice, entered_at=now())
    factor = Authenticator.objects.create(user=who.alice, type="totp", data={})
    rows = {
        User: who.alice,
        Authenticator: factor,
        AccessToken: making.create(who.alice, "cron").token,
        Match: match,
        Invitation: invitation,
        Dispatch: Dispatch.objects.latest("pk"),
        Report: cases.reported(who),
        Halt: Halt.objects.create(opened_at="2026-01-01T00:00Z", overdue=1),
        Tournament: tournament,
        Entry: entry,
    }
    finished(who.alice, who.bob, "S", day(0))
    count_at(day(1))
    rows |= {Unit: Unit.objects.get(), Family: Family.objects.get()}
    return Scene(who, match, rows)


def time_out(row: Match) -> None:
    past = now() - timedelta(days=1)
    Player.objects.filter(match=row, to_act=True).update(deadline=past, since=past)
    assert endings.claim_time(row.pk)


def blocked(row: User) -> None:
    User.objects.filter(pk=row.pk).update(is_active=False)


def taken_out(row: Unit) -> None:
    Unit.objects.filter(pk=row.pk).update(taken_out=True)


def draft(row: Tournament) -> None:
    Tournament.objects.filter(pk=row.pk).update(state=State.DRAFT)


class Power(NamedTuple):
    """An action: the role that has it, besides superusers, and what must happen before it."""

    roles: set[str]
    before: Callable[[Any], None] = lambda row: None


POWERS: dict[tuple[type[Model], str], Power] = {
    (User, "block"): Power({MODERATOR}),
    (User, "unblock"): Power({MODERATOR}, blocked),
    (User, "sign_out"): Power({MODERATOR, OPERATOR}),
    (User, "erase_accounts"): Power({OPERATOR}),
    (Authenticator, "remove"): Power({OPERATOR}),
    (AccessToken, "revoke"): Power({OPERATOR}),
    (Match, "extend"): Power({MODERATOR}),
    (Match, "void"): Power({MODERATOR}),
    (Match, "reopen"): Power({MODERATOR}, time_out),
    (Invitation, "withdraw"): Power({MODERATOR}),
    (Report, "close"): Power({MODERATOR}),
    (Report, "warn"): Power({MODERATOR}),
    (Report, "silence"): Power({MODERATOR}),
    (Report, "block"): Power({MODERATOR}),
    (Dispatch, "send_again"): Power({OPERATOR}),
    (Dispatch, "release_emails"): Power({OPERATOR}),
    (Halt, "resume_timeouts"): Power({OPERATOR}),
    (Unit, "take_out"): Power({MODERATOR}),
    (Unit, "put_back"): Power({MODERATOR}, taken_out),
    (Family, "compute_again"): Power({OPERATOR}),
    (Tournament, "open_entry"): Power({ORGANISER}, draft),
    (Tournament, "cancel"): Power({ORGANISER}),
    (Tournament, "prolong"): Power({ORGANISER}),
    (Entry, "exclude_player"): Power({ORGANISER}),
}
# No role has these: they need two people who signed in with a second factor
# (tests/play/admin/test_looks.py).
BY_TWO = {(Match, "ask_to_look"), (Look, "agree")}
AGAINST_PEOPLE = [key for key in POWERS if key[0] in (User, Authenticator, AccessToken)]
REPORTS = [key for key in POWERS if key[0] is Report]
AGAINST_OPPONENTS: list[tuple[type[Model], str]] = [
    *(*AGAINST_PEOPLE, *REPORTS),
    *((Invitation, "withdraw"), (Halt, "resume_timeouts")),
]


def by_roles(
    keys: Iterable[tuple[type[Model], str]], roles: Iterable[str], always: Collection[str] = ()
) -> pytest.MarkDecorator:
    """Each action by each role; those that may do it, and some always, are fast."""
    rows = [(*key, role) for key in keys for role in roles]
    fast = [row for row in rows if row[2] in {*POWERS[row[:2]].roles, *always}]
    ids = [f"{model.__name__}-{action}-{role}" for model, action, role in rows]
    return pytest.mark.parametrize(
        ("model", "action", "role"), tiers.parameters(rows, fast), ids=ids
    )


def hired(role: str, name: str = "Berthier") -> User:
    """A user in this role."""
    staff = match_helpers.person(name, is_staff=True, is_superuser=role == SUPERUSER)
    if role in ROLES:
        staff.groups.add(Group.objects.get(name=role))
    elif role == LOOKING:
        staff.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    return staff


def browser(staff: User) -> Client:
    client = Client()
    client.force_login(staff)
    return client


def act(staff: User, model: type[Model], action: str, row: Model) -> list[str]:
    """The admin's response when this member of staff uses that action on this row."""
    url = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    form = {"action": action, "_selected_action": [row.pk], "apply": "yes", "reason": "A quarrel."}
    answer = browser(staff).post(url, {**form, "days": "2"}, follow=True)
    return [str(message) for message in (answer.context or {}).get("messages", ())]


def history(row: Model) -> list[str]:
    entries = LogEntry.objects.filter(
        content_type__model=row._meta.model_name, object_id=str(row.pk)
    )
    return [entry.get_change_message() for entry in entries]


@pytest.fixture(autouse=True)
def _without_factors(settings: Any) -> None:
    settings.STAFF_NEEDS_MFA = False


def test_every_action_of_the_admin_is_in_the_matrix_and_names_its_permission() -> None:
    actions = {
        (model, action) for model, page in admin.site._registry.items() for action in page.actions
    }
    assert actions == {*POWERS, *BY_TWO}
    assert not [needs for needs in ROLES.values() if "break_seal" in needs.get("play", ())]
    for model, action in actions:
        page = admin.site._registry[model]
        (power,) = getattr(page, str(action)).allowed_permissions
        assert hasattr(page, f"has_{power}_permission")
        # No action is granted by a permission to view or change.
        assert power not in ("view", "change", "add", "delete")


@by_roles(POWERS, ACTORS, always=[LOOKING])
def test_each_role_has_exactly_its_actions(
    scene: Scene, model: type[Model], action: str, role: str
) -> None:
    power, row = POWERS[model, action], scene.rows[model]
    power.before(row)
    rows = model._default_manager.filter(pk=row.pk)
    before = rows.values().get()
    messages = act(hired(role), model, action, row)
    if role == SUPERUSER or role in power.roles:
        (line,) = history(row)
        assert "A quarrel." in line
        assert len(messages) == 1 and line in messages[0]
    else:
        assert history(row) == []
        assert rows.values().get() == before


@by_roles(AGAINST_OPPONENTS, [MODERATOR, OPERATOR, SUPERUSER])
def test_staff_cannot_act_against_their_opponent(
    scene: Scene, model: type[Model], action: str, role: str
) -> None:
    staff, row = hired(role), scene.rows[model]
    own = match_helpers.running_match(People(staff, scene.people.alice, staff))
    POWERS[model, action].before(row)
    # Held back: resuming time-outs would make them lose, perhaps this match.
    HeldPlayer.objects.create(halt_id=scene.rows[Halt].pk, user=scene.people.alice)
    for_them = role == SUPERUSER or role in POWERS[model, action].roles
    messages = act(staff, model, action, row)
    assert ("you are playing a match against each other" in "".join(messages)) is for_them
    assert history(row) == []
    assert User.objects.get(pk=scene.people.alice.pk).username == "Alice"
    assert Match.objects.get(pk=own.pk).is_live


def test_after_the_match_they_are_no_longer_opponents(scene: Scene) -> None:
    staff = hired(SUPERUSER)
    own = match_helpers.running_match(People(staff, scene.people.alice, staff))
    endings.abort(own.pk, staff)
    assert act(staff, User, "block", scene.people.alice) == ["Alice: Blocked: A quarrel."]


def test_an_opponent_s_e_mails_cannot_be_switched_off(scene: Scene) -> None:
    staff = hired(SUPERUSER)
    match_helpers.running_match(People(staff, scene.people.alice, staff))
    url = f"/admin/accounts/user/{scene.people.alice.pk}/change/"
    assert browser(staff).get(url).status_code == 200
    assert browser(staff).post(url, {"username": "Alice", "zone": "UTC"}).status_code == 403
    assert User.objects.get(pk=scene.people.alice.pk).match_emails


@pytest.mark.parametrize("action", ["extend", "void", "reopen"])
@pytest.mark.parametrize("role", [MODERATOR, SUPERUSER])
def test_staff_cannot_moderate_their_own_match(scene: Scene, action: str, role: str) -> None:
    staff = hired(role)
    own = match_helpers.running_match(People(staff, scene.people.alice, staff))
    POWERS[Match, action].before(own)
    (messages,) = act(staff, Match, action, own)
    assert "you play in it yourself" in messages
    assert history(own) == []


def test_staff_cannot_withdraw_their_own_invitations_or_those_to_them(scene: Scene) -> None:
    staff = hired(MODERATOR)
    own = lobby.offer(staff, TERMS, kind=InvitationKind.SEAT)
    theirs = lobby.offer(
        scene.people.alice,
        Terms("lattaque-en", pace="5d"),
        kind=InvitationKind.CHALLENGE,
        guest=staff,
    )
    for invitation in (own, theirs):
        (messages,) = act(staff, Invitation, "withdraw", invitation)
        assert "it is your own" in messages


@pytest.mark.parametrize("role", [MODERATOR, OPERATOR, ORGANISER])
@pytest.mark.parametrize("target", tiers.parameters((SUPERUSER, MODERATOR), fast=(MODERATOR,)))
def test_only_a_superuser_acts_against_staff(scene: Scene, role: str, target: str) -> None:
    staff, other = hired(role), hired(target, "Grouchy")
    factor = Authenticator.objects.create(user=other, type="totp", data={})
    rows = {User: other, Authenticator: factor, AccessToken: making.create(other, "cron").token}
    for model, action in AGAINST_PEOPLE:
        row = rows[model]
        messages = act(staff, model, action, row)
        allowed = role in POWERS[model, action].roles
        assert ("only a superuser may do this to staff" in "".join(messages)) is allowed
        assert history(row) == []
    assert act(hired(SUPERUSER, "Soult"), User, "sign_out", other) == [
        "Grouchy: Signed out everywhere: A quarrel."
    ]


@pytest.mark.parametrize("granted", [["change_user"], ["change_user", "add_user"], None])
def test_only_a_superuser_gives_permissions(scene: Scene, granted: list[str] | None) -> None:
    """To nobody, not even to themselves; `None` is every permission."""
    staff = match_helpers.person("Berthier", is_staff=True)
    some = Permission.objects.filter(codename__in=granted) if granted else Permission.objects.all()
    staff.user_permissions.set(some)
    before = staff.user_permissions.count()
    client = browser(staff)
    permission, group = Permission.objects.first(), Group.objects.get(name=OPERATOR)
    powers = {"is_staff": "on", "is_superuser": "on", "is_active": "on", "groups": [group.pk]}
    powers |= {"user_permissions": [permission.pk], "zone": "UTC", "theme": "dark"}
    for user in (staff, scene.people.bob):
        answer = client.post(
            f"/admin/accounts/user/{user.pk}/change/", {"username": user.username, **powers}
        )
        assert answer.status_code == 302
        user.refresh_from_db()
        assert user.theme == "dark", "The form was not taken at all."
        assert (user.is_superuser, user.is_staff) == (False, user == staff)
        assert not user.groups.exists()
    assert staff.user_permissions.count() == before
    assert not scene.people.bob.user_permissions.exists()
    fields = {"username": "Grouchy", "email": "g@example.org", "usable_password": "false"}
    client.post("/admin/accounts/user/add/", {**fields, **powers})
    assert not User.objects.filter(username="Grouchy", is_staff=True).exists()
    for url in ("add/", f"{group.pk}/change/"):
        answer = client.post(
            f"/admin/auth/group/{url}", {"name": "x", "permissions": [permission.pk]}
        )
        assert answer.status_code == 403
    blocked(scene.people.bob)
    url = f"/admin/accounts/user/{scene.people.bob.pk}/change/"
    client.post(url, {"username": "Bob", **powers})
    assert not User.objects.get(pk=scene.people.bob.pk).is_active


def test_a_superuser_gives_a_role_and_it_is_in_the_security_log(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    staff, bob = hired(SUPERUSER), scene.people.bob
    fields: dict[str, Any] = {"username": "Bob", "zone": "UTC", "is_staff": "on"}
    fields["groups"] = Group.objects.get(name=MODERATOR).pk
    client = browser(staff)
    with caplog.at_level("INFO", "accounts.security"):
        client.post(f"/admin/accounts/user/{bob.pk}/change/", fields)
    assert User.objects.get(pk=bob.pk).groups.get().name == MODERATOR
    assert any(f"changed groups, is_staff of user {bob.pk}" in line for line in caplog.messages)


def test_a_blocked_player_is_signed_out_and_stays_out(scene: Scene) -> None:
    theirs = browser(scene.people.alice)
    act(hired(MODERATOR), User, "block", scene.people.alice)
    assert not Session.objects.filter(user=scene.people.alice).exists()
    assert theirs.get("/people/preferences/").status_code == 302


def test_a_role_has_only_the_permissions_it_needs(db: None) -> None:
    for role, needs in at_least(2, ROLES.items()):
        wanted = {f"{app}.{name}" for app, names in needs.items() for name in names}
        permissions = Group.objects.get(name=role).permissions.select_related("content_type")
        assert {f"{p.content_type.app_label}.{p.codename}" for p in permissions} == wanted


@pytest.mark.parametrize("role", [MODERATOR, OPERATOR])
def test_a_role_can_open_every_page_with_its_actions(scene: Scene, role: str) -> None:
    client = browser(hired(role))
    for (model, action), power in POWERS.items():
        if role in power.roles:
            url = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
            assert f'value="{action}"' in client.get(url).content.decode()
