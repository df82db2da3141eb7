"""A match against the house without a browser: challenged, played and begun anew by mail alone."""

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
    """The e-mail that the house's answer has brought, or the receipt if it had none to give."""
    queue.work()
    return [receipt, *post.letters(user)][-1]


@pytest.mark.parametrize(
    ("level", "game"),
    tiers.parameters(
        product(house_accounts.LEVELS, ("lattaque", "domino", "tactique", "assaut")),
        fast=(("recruit", "lattaque"), ("sergeant", "domino"), ("marshal", "assaut")),
    ),
)
def test_a_newcomer_plays_each_level_by_mail(
    alice: User, level: str, game: str, settings: Settings
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    house_accounts.ensure()
    draw = Random(f"{level} {game}")
    listed = post.answer(alice, "post@localhost", "hello")
    challenged = post.answer(alice, listed, f"challenge {house_accounts.name_of(level)} {game}")
    assert post.outcome(challenged) == "accepted"
    letter = newest(alice, challenged)
    # Of Assaut there are two, with the sides exchanged.
    match = Match.objects.get(pk=re.findall(r"/match/([0-9]+)/", str(letter.body))[0])
    if view_match(match.pk, alice).my_turn and match.status == Status.SETUP:
        if game == "assaut":
            receipt = post.answer(alice, letter, "c7 e7")
        else:
            receipt = post.answer(alice, post.answer(alice, letter, "random"), "keep")
        assert post.outcome(receipt) == "set-up"
        letter = newest(alice, receipt)
    for _ in range(TURNS):
        match.refresh_from_db()
        if match.status != Status.RUNNING:  # An archer may end it before anybody has met.
            break
        view = view_match(match.pk, alice)
        assert view.my_turn
        move = write_move(view.rules, draw.choice(view.observation.moves))
        receipt = post.answer(alice, letter, move.replace("*", "huff "))
        assert post.outcome(receipt) == "played", receipt.body
        letter = newest(alice, receipt)
    match.refresh_from_db()
    if match.status == Status.RUNNING:
        letter = post.answer(alice, letter, "resign")
        receipt = post.answer(alice, letter, "yes")
        assert post.outcome(receipt) == "resigned"
    if Match.objects.count() > 1:  # A rematch is offered once both are over.
        return
    before = Match.objects.count()
    assert post.outcome(post.answer(alice, letter, "rematch")) == "accepted"
    assert Match.objects.count() == before + 1
