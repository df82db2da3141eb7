"""Blocks and reliability under concurrency, each caller with their own database connection."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from games.lobby import commands
from games.lobby.models import OPEN, Invitation, InvitationKind
from games.people.blocking import blocks
from games.people.models import Block, Reliability
from games.people.standing import reliability
from games.play.terms import Terms
from tests.concurrent import at_once
from tests.ratings.results import day, finished

pytestmark = pytest.mark.postgresql

TERMS = Terms("lattaque-en", setup_pace="5d")


@pytest.fixture
def pair(apart: None) -> tuple[User, User]:
    alice, bob = (User.objects.create_user(f"Rider{letter}") for letter in "AB")
    return alice, bob


def test_no_challenge_stays_open_during_a_block(pair: tuple[User, User]) -> None:
    alice, bob = pair
    challenge = partial(commands.offer, terms=TERMS, kind=InvitationKind.CHALLENGE)
    for _ in range(5):
        at_once(
            partial(challenge, bob, guest=alice),
            partial(blocks.block, alice, bob),
            partial(challenge, alice, guest=bob),
        )
        assert blocks.is_blocked(alice.pk, bob.pk)
        assert not Invitation.objects.filter(OPEN).exists()
        blocks.unblock(alice, bob)


def test_two_users_who_block_each_other_at_once_both_succeed(pair: tuple[User, User]) -> None:
    alice, bob = pair
    for _ in range(5):
        at_once(*[partial(blocks.block, *each) for each in ((alice, bob), (bob, alice))] * 2)
        assert Block.objects.count() == 2
        Block.objects.all().delete()


def test_the_limit_holds_for_many_simultaneous_blocks(
    pair: tuple[User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 2)
    others = [User.objects.create_user(f"Other{letter}") for letter in "ABCDEF"]
    at_once(*[partial(blocks.block, pair[0], other) for other in others])
    assert Block.objects.count() == 2


def test_a_row_computed_by_many_at_once_is_right(pair: tuple[User, User]) -> None:
    alice, bob = pair
    match = finished(alice, bob, "S", day(1))
    type(match).objects.update(is_final=True)
    at_once(*[partial(reliability.renew, alice)] * 6)
    assert Reliability.objects.get().finished == 1
