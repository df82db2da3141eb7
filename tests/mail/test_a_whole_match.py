"""Whole matches by mail alone: from the invitation to the rematch, both seats, each system."""

from random import Random
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationKind
from games.mail.models import IncomingMessage
from games.outbox import dispatcher
from games.play.models.match import Match, Status, by_seat
from games.play.record.match_view import view_match
from games.rules.core.basics.moves import Attack, Capture, Charge
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move
from tests import tiers
from tests.mail import post
from tests.notifications.email.reading import sent_emails, text
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.long]

MOST_PLIES = 40  # then one of them resigns


class Mailboxes:
    """What each player got, newest last; answers go to the newest e-mail."""

    def __init__(self) -> None:
        self.letters: dict[str, list[EmailMultiAlternatives]] = {}

    def fetch(self) -> None:
        mail.outbox = []
        dispatcher.drain()
        for letter in sent_emails():
            self.letters.setdefault(letter.to[0], []).append(letter)

    def newest(self, user: User) -> EmailMultiAlternatives:
        return self.letters[user.email][-1]

    def answer(self, user: User, words: str) -> EmailMultiAlternatives:
        """Answer the newest e-mail; the receipt."""
        post.take(self.newest(user), post.written(user, words))
        before = len(self.letters[user.email])
        self.fetch()
        got = self.letters[user.email][before:]
        (receipt,) = [one for one in got if "X-Estafette-Outcome" in one.extra_headers]
        # The receipt is the older one where the same answer brought another e-mail.
        got.sort(key=lambda one: one is not receipt)
        self.letters[user.email][before:] = got
        return receipt


@pytest.mark.parametrize(
    "preset", tiers.parameters(("lattaque-zh", "domino", "tactique", "assaut"), fast=("tactique",))
)
def test_a_match_from_the_invitation_to_the_rematch(
    who: People, preset: str, settings: Settings
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    draw, boxes = Random(preset), Mailboxes()
    terms: dict[str, Any] = {"preset": preset, "pace": "3d", "setup_pace": "3d"}
    lobby.offer(who.alice, kind=InvitationKind.CHALLENGE, guest=who.bob, seat=Seat.SOUTH, **terms)
    boxes.fetch()
    assert post.outcome(boxes.answer(who.bob, "accept")) == "accepted"
    match = Match.objects.get()
    for seat in match.rules.seats_setting_up:
        user = by_seat(match)[seat].user
        officers = preset == "assaut"
        if not officers:
            assert post.outcome(boxes.answer(user, "random")) == "asked"
        assert post.outcome(boxes.answer(user, "c7 e7" if officers else "keep")) == "set-up"
    for _ply in range(MOST_PLIES):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        mover = match.players.select_related("user").get(to_act=True).user
        view = view_match(match.pk, mover)
        fights = [m for m in view.observation.moves if isinstance(m, Attack | Capture | Charge)]
        chosen = draw.choice(fights if fights and draw.random() < 0.5 else view.observation.moves)
        written = write_move(view.rules, chosen).replace("*", "huff ").replace("-", " ")
        receipt = boxes.answer(mover, f"{written}\n\n> Your letter said\n> a lot\n")
        assert post.outcome(receipt) == "played", text(receipt)
    match.refresh_from_db()  # The last of the plies may have ended it.
    if match.status == Status.RUNNING:
        loser = match.players.select_related("user").get(to_act=True).user
        boxes.answer(loser, "resign")
        assert post.outcome(boxes.answer(loser, "yes")) == "resigned"
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    winner = who.alice
    assert post.outcome(boxes.answer(winner, "rematch")) == "offered"
    assert Invitation.objects.filter(rematch_of=match, guest=who.bob).exists()
    assert post.outcome(boxes.answer(who.bob, "accept")) == "accepted"
    assert Match.objects.count() == 2
    assert not IncomingMessage.objects.filter(done_at=None).exists()
