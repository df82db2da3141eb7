"""Matches against house opponents by e-mail: challenge, moves, rematch."""

import re
from itertools import product
from random import Random

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.house import house_accounts
from games.house.playing import queue
from games.play.models.match import Match, Status
from games.play.record.match_view import view_match
from games.rules.core.text.notation import write_move
from tests import tiers
from tests.mail import post

pytestmark = pytest.mark.long

TURNS = 4


def newest(user: User, receipt: EmailMultiAlternatives) -> EmailMultiAlternatives:
    """The e-mail about the house opponent's move, or the receipt if there was no such move."""
    queue.work()
    return [receipt, *post.emails(user)][-1]


@pytest.mark.parametrize(
    ("level", "game"),
    tiers.parameters(
        product(house_accounts.LEVELS, ("lattaque", "domino", "tactique", "assaut")),
        # A marshal thinks longer.
        fast=(("sergeant", "tactique"),),
    ),
)
def test_a_new_player_plays_each_level_by_mail(
    alice: User, level: str, game: str, settings: Settings
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    house_accounts.ensure()
    draw = Random(f"{level} {game}")
    listed = post.answer(alice, "post@localhost", "hello")
    challenged = post.answer(alice, listed, f"challenge {house_accounts.name_of(level)} {game}")
    assert post.outcome(challenged) == "accepted"
    email = newest(alice, challenged)
    # Assaut is played as a set of two matches with sides exchanged.
    match = Match.objects.get(pk=re.findall(r"/match/([0-9]+)/", str(email.body))[0])
    if view_match(match.pk, alice).my_turn and match.status == Status.SETUP:
        if game == "assaut":
            receipt = post.answer(alice, email, "c7 e7")
        else:
            receipt = post.answer(alice, post.answer(alice, email, "random"), "keep")
        assert post.outcome(receipt) == "set-up"
        email = newest(alice, receipt)
    for _ in range(TURNS):
        match.refresh_from_db()
        if match.status != Status.RUNNING:  # An archer may end the match before the first battle.
            break
        view = view_match(match.pk, alice)
        assert view.my_turn
        move = write_move(view.rules, draw.choice(view.observation.moves))
        receipt = post.answer(alice, email, move.replace("*", "huff "))
        assert post.outcome(receipt) == "played", receipt.body
        email = newest(alice, receipt)
    match.refresh_from_db()
    if match.status == Status.RUNNING:
        email = post.answer(alice, email, "resign")
        receipt = post.answer(alice, email, "yes")
        assert post.outcome(receipt) == "resigned"
    if Match.objects.count() > 1:  # A rematch can be offered once both matches are over.
        return
    before = Match.objects.count()
    assert post.outcome(post.answer(alice, email, "rematch")) == "accepted"
    assert Match.objects.count() == before + 1
