"""Whole matches by e-mail: from the invitation to the rematch, both seats, each system."""

from itertools import product
from random import Random

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationKind
from games.mail.models import IncomingMessage
from games.outbox.delivery import dispatcher
from games.play.models.match import Match, Status, by_seat
from games.play.record.match_view import view_match
from games.play.terms import Terms
from games.rules.core.basics.moves import Attack, Capture, Charge
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move
from tests import tiers
from tests.mail import post
from tests.notifications.email.reading import sent_emails, text
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.long]

MOST_PLIES, FAST_PLIES = 40, 8  # then a player resigns


class Mailboxes:
    """E-mails to each player, newest last; replies go to the newest."""

    def __init__(self) -> None:
        self.emails: dict[str, list[EmailMultiAlternatives]] = {}

    def fetch(self) -> None:
        mail.outbox = []
        dispatcher.drain()
        for email in sent_emails():
            self.emails.setdefault(email.to[0], []).append(email)

    def newest(self, user: User) -> EmailMultiAlternatives:
        return self.emails[user.email][-1]

    def answer(self, user: User, words: str) -> EmailMultiAlternatives:
        """Reply to the newest e-mail; returns the receipt."""
        post.take(self.newest(user), post.written(user, words))
        before = len(self.emails[user.email])
        self.fetch()
        got = self.emails[user.email][before:]
        (receipt,) = [one for one in got if "X-Estafette-Outcome" in one.extra_headers]
        # If the reply also caused another e-mail, the receipt is the older one.
        got.sort(key=lambda one: one is not receipt)
        self.emails[user.email][before:] = got
        return receipt


@pytest.mark.parametrize(
    ("preset", "plies"),
    tiers.parameters(
        [
            ("tactique", FAST_PLIES),
            *product(("lattaque-zh", "domino", "tactique", "assaut"), [MOST_PLIES]),
        ],
        fast=[("tactique", FAST_PLIES)],
    ),
)
def test_a_match_from_the_invitation_to_the_rematch(
    who: People, preset: str, plies: int, settings: Settings
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    draw, boxes = Random(preset), Mailboxes()
    terms = Terms(preset, seat=Seat.SOUTH)
    lobby.offer(who.alice, terms, kind=InvitationKind.CHALLENGE, guest=who.bob)
    boxes.fetch()
    assert post.outcome(boxes.answer(who.bob, "accept")) == "accepted"
    match = Match.objects.get()
    for seat in match.rules.seats_setting_up:
        user = by_seat(match)[seat].user
        officers = preset == "assaut"
        if not officers:
            assert post.outcome(boxes.answer(user, "random")) == "asked"
        assert post.outcome(boxes.answer(user, "c7 e7" if officers else "keep")) == "set-up"
    for _ply in range(plies):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        mover = match.players.select_related("user").get(to_act=True).user
        view = view_match(match.pk, mover)
        fights = [m for m in view.observation.moves if isinstance(m, Attack | Capture | Charge)]
        chosen = draw.choice(fights if fights and draw.random() < 0.5 else view.observation.moves)
        written = write_move(view.rules, chosen).replace("*", "huff ").replace("-", " ")
        receipt = boxes.answer(mover, f"{written}\n\n> Your e-mail said\n> a lot\n")
        assert post.outcome(receipt) == "played", text(receipt)
    match.refresh_from_db()  # The last ply may have ended the match.
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
