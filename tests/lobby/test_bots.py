"""Bots in the lobby: limits that the service enforces, so that no program need decline."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from accounts.people import bots
from games.house import house_accounts
from games.house.playing import new_match
from games.house.refusals import HouseRefusal
from games.lobby import commands, refusals
from games.lobby.models import Invitation, InvitationStatus
from games.people.blocking import blocks
from games.people.standing import limits
from games.play.lists.opponents import seats_against_people
from games.play.models.match import Match
from games.play.words.wording import refusal_text
from games.ratings.eligibility import NotRateable
from tests.play.forms import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]

Offer = Callable[..., Invitation]


@pytest.fixture
def bot(alice: User) -> User:
    return bots.create(alice, "Alina")


def test_a_bot_plays_its_owner_other_users_and_bots(
    bot: User, alice: User, bob: User, offer: Offer
) -> None:
    other = bots.create(bob, "Bill")
    assert commands.accept(offer(bot, guest=alice).pk, alice)
    assert commands.accept(offer(bot, guest=other).pk, other)
    assert commands.accept(offer(bot).pk, bob)
    assert commands.accept(offer(bob).pk, bot)
    assert commands.accept(offer(bob, guest=bot).pk, bot)


def test_a_bot_can_challenge_no_person_but_its_owner(bot: User, bob: User, offer: Offer) -> None:
    with pytest.raises(refusals.InvitationRefusal) as refused:
        offer(bot, guest=bob)
    assert "challenge no people but their owner" in refusal_text(refused.value)
    assert not Invitation.objects.exists()


def test_a_bot_can_offer_three_open_seats(bot: User, alice: User, bob: User, offer: Offer) -> None:
    for _ in range(commands.MAX_SEATS_OF_BOT):
        offer(bot)
    with pytest.raises(refusals.TooMany) as refused:
        offer(bot)
    assert "Bot-Alina offers 3 open seats" in refusal_text(refused.value)
    offer(bot, guest=alice)
    commands.accept(Invitation.objects.filter(guest=None)[0].pk, bob)
    offer(bot)


def test_a_bot_has_a_limited_number_of_running_matches(
    bot: User, alice: User, bob: User, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, challenge = offer(bot), offer(alice, guest=bot)
    assert limits.MAX_MATCHES_OF_BOT == 50
    monkeypatch.setattr(limits, "MAX_MATCHES_OF_BOT", 1)
    commands.accept(offer(bob, guest=bot).pk, bot)
    acts: list[Callable[[], object]] = [
        lambda: offer(bob, guest=bot),
        lambda: offer(bot),
        lambda: offer(bot, guest=house_accounts.opponent("recruit")),
        lambda: commands.accept(seat.pk, bob),
        lambda: commands.accept(challenge.pk, bot),
    ]
    for act in acts:
        with pytest.raises(limits.BotLimit) as refused:
            act()
        assert "Bot-Alina plays as many matches as a bot may" in refusal_text(refused.value)
    assert Match.objects.count() == 1


def test_the_cap_for_newcomers_does_not_apply_to_bots(
    bot: User, bob: User, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FIRST_MATCHES", 1)
    commands.accept(offer(bot).pk, bob)
    commands.accept(offer(bot).pk, User.objects.get(username="Charlie"))
    assert Match.objects.count() == 2


def test_matches_of_bots_are_never_rated(bot: User, alice: User, bob: User, offer: Offer) -> None:
    for owner, more in ((bot, {}), (bot, {"guest": alice}), (bob, {"guest": bot})):
        with pytest.raises(NotRateable, match="Matches of bots are never rated"):
            offer(owner, rated=True, **more)
    seat = offer(bob, rated=True)
    with pytest.raises(NotRateable, match="Matches of bots are never rated"):
        commands.accept(seat.pk, bot)
    seat.refresh_from_db()
    assert seat.status == InvitationStatus.OPEN


def test_the_form_makes_a_challenge_to_a_bot_friendly(bot: User, bob: User) -> None:
    form = {"kind": "challenge", "opponent": "bot-alina", "preset": "lattaque-en", "pace": "3d"}
    answer = client_of(bob).post("/lobby/new/", form | {"rated": "on"})
    assert answer.status_code == 302
    assert not Invitation.objects.get(guest=bot).rated


def test_against_the_house_a_bot_counts_as_its_owner(
    bot: User, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 2)
    for user in (bot, alice):
        new_match.play_the_house(user, preset="lattaque-en", level="recruit")
    for user in (bot, alice, bots.create(alice, "Two")):
        with pytest.raises(HouseRefusal):
            new_match.play_the_house(user, preset="lattaque-en", level="recruit")
    new_match.play_the_house(bob, preset="lattaque-en", level="recruit")


def test_matches_with_bots_do_not_count_for_reliability(
    bot: User, alice: User, bob: User, offer: Offer
) -> None:
    """Somebody who is barred cannot finish a match with a bot of their own instead."""
    match = commands.accept(offer(bot).pk, bob)
    assert not seats_against_people(bob.pk)
    assert limits.live_matches(bob.pk) == 0
    commands.accept(offer(alice).pk, bob)
    assert [seat.match_id for seat in seats_against_people(bob.pk)] == [match.pk + 1]


# --- Blocks


def test_a_block_of_the_owner_applies_to_the_bot(
    bot: User, alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    seat = offer(bot)
    challenge = offer(bob, guest=bot)
    blocks.block(bob, alice)
    challenge.refresh_from_db()
    assert challenge.status == InvitationStatus.WITHDRAWN
    with pytest.raises(Invitation.DoesNotExist):
        commands.accept(seat.pk, bob)
    with pytest.raises(Invitation.DoesNotExist):
        commands.accept(offer(bob).pk, bot)
    with pytest.raises(refusals.InvitationRefusal):
        offer(bob, guest=bot)
    assert not Invitation.objects.seats_for(bob).filter(owner=bot)
    assert not Invitation.objects.seats_for(bot).filter(owner=bob)
    assert Invitation.objects.seats_for(charlie).filter(owner=bot)


def test_a_block_by_the_owner_applies_too_and_one_by_the_bot_is_its_own(
    bot: User, alice: User, bob: User
) -> None:
    blocks.block(alice, bob)
    assert blocks.is_blocked(bob.pk, bot.pk)
    blocks.unblock(alice, bob)
    assert not blocks.is_blocked(bob.pk, bot.pk)
    blocks.block(bob, bot)
    assert blocks.is_blocked(bot.pk, bob.pk)
    assert not blocks.is_blocked(alice.pk, bob.pk)


# --- Pages


def test_a_profile_names_the_owner(bot: User, bob: User, client: Client) -> None:
    page = client.get("/people/profile/Bot-Alina/").content.decode()
    assert '<a href="/people/profile/Alice/">Alice</a>' in page
    assert '<p class="eyebrow">Bot</p>' in page


def test_lists_show_a_badge(bot: User, client: Client, offer: Offer) -> None:
    offer(bot)
    page = client.get("/lobby/").content.decode()
    assert "Bot-Alina</a>" in page
    assert 'title="A member&#x27;s program">Bot</span>' in page
