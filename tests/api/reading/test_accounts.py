"""The account, what waits for it, and the editions."""

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.api.schemas.basics import kind_of
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.play.commands import courtesies, endings
from games.play.models.match import Match
from games.play.terms import Terms
from games.rules import registry
from tests.api.client import Program
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


def test_the_account_of_a_token_is_returned(alice_program: Program, match: Match) -> None:
    account = alice_program.read("/account")
    assert account["token"].pop("expires_at").endswith("Z")
    assert account == {
        "name": "Alice",
        "kind": "person",
        "owner": None,
        "token": {"name": "test", "scopes": ["read", "play", "challenge"]},
        "waiting": 1,
        "limits": {"read": 240, "write": 120},
    }


def test_waiting_lists_matches_with_the_own_turn(
    alice_program: Program, bob_program: Program, match: Match, who: People
) -> None:
    before = match_helpers.new_match(who, "assaut", setup_pace="1d")
    waiting = alice_program.read("/waiting")
    assert [(each["match"], each["ask"]) for each in waiting["matches"]] == [(match.pk, "move")]
    assert waiting["matches"][0] == {
        "match": match.pk,
        "preset": "lattaque-en",
        "seat": "S",
        "ask": "move",
        "ply": 2,
        "opponent": {"name": "Bob", "kind": "person"},
        "deadline": alice_program.read(f"/matches/{match.pk}")["players"][0]["deadline"],
        "draw_offered": False,
        "pause_offered": False,
    }
    (turn,) = bob_program.read("/waiting")["matches"]
    assert (turn["match"], turn["ask"], turn["seat"]) == (before.pk, "setup", "O")


def test_offers_of_the_opponent_are_named(
    alice_program: Program, bob_program: Program, match: Match, alice: User, bob: User
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    endings.offer_draw(match.pk, alice)
    (turn,) = alice_program.read("/waiting")["matches"]
    assert not turn["draw_offered"]
    match_helpers.play(match, "a5-a6")
    courtesies.offer_pause(match.pk, alice)
    (turn,) = bob_program.read("/waiting")["matches"]
    assert turn["draw_offered"] and turn["pause_offered"]


def test_the_nearest_deadline_comes_first(alice_program: Program, who: People) -> None:
    paces = {"5d": 0, "1d": 0, "none": 0, "3d": 0}
    for pace in paces:
        paces[pace] = match_helpers.set_up(match_helpers.new_match(who, pace=pace)).pk
    listed = [each["match"] for each in alice_program.read("/waiting")["matches"]]
    assert listed == [paces["1d"], paces["3d"], paces["5d"], paces["none"]]


def test_challenges_wait_until_they_are_answered(
    alice_program: Program, bob_program: Program, alice: User, bob: User
) -> None:
    terms = Terms("assaut", pace="2d")
    offered = lobby.offer(bob, terms, kind=InvitationKind.CHALLENGE, guest=alice, note="Hi")
    (challenge,) = alice_program.read("/waiting")["invitations"]
    assert challenge["invitation"] == offered.pk
    assert challenge["owner"] == {"name": "Bob", "kind": "person"}
    assert challenge["guest"] == {"name": "Alice", "kind": "person"}
    assert (challenge["kind"], challenge["status"]) == ("challenge", "open")
    assert challenge == alice_program.read(f"/invitations/{offered.pk}")
    assert bob_program.read("/waiting")["invitations"] == []
    lobby.decline(offered.pk, alice)
    assert alice_program.read("/waiting")["invitations"] == []


def test_polling_costs_three_queries(
    alice_program: Program,
    match: Match,
    who: People,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(3):
        match_helpers.set_up(match_helpers.new_match(who))
    tag = alice_program.get("/waiting")["ETag"]
    with django_assert_num_queries(3):
        assert alice_program.get("/waiting", HTTP_IF_NONE_MATCH=tag).status_code == 304
    lobby.offer(who.bob, Terms("assaut"), kind=InvitationKind.CHALLENGE, guest=who.alice)
    # The clock is asked for challenges.
    with django_assert_num_queries(4):
        assert alice_program.get("/waiting", HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_every_edition_is_a_preset(visitor: Program) -> None:
    presets = visitor.read("/presets")["presets"]
    assert [each["preset"] for each in presets] == [rules.key for rules in registry.editions()]
    (assaut,) = [each for each in presets if each["preset"] == "assaut"]
    assert (assaut["seats"], assaut["sets_up"], assaut["hidden"]) == (["S", "O"], ["O"], False)
    assert (assaut["files"], assaut["ranks"]) == (7, 7)
    assert assaut["switches"] == dict(registry.ruleset("assaut").options)


def test_a_bot_names_its_owner(alice: User, who: People) -> None:
    bot = User.objects.create(username="Bot-Ada", owner=alice)
    assert bot.kind == kind_of(bot.username) == "bot"
    account = Program(bot).read("/account")
    assert (account["name"], account["kind"], account["owner"]) == ("Bot-Ada", "bot", "Alice")


@pytest.mark.parametrize("name", ["Anna", "Bot-Ada", "House-Recruit", "former-player-1", "Botvin"])
def test_a_name_shows_the_kind_of_the_account(name: str) -> None:
    assert kind_of(name) == User(username=name).kind
