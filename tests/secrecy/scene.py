"""What both worlds share before their match begins: people, sessions, other matches."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from django.test import Client

from accounts.models import User
from accounts.tokens import making
from games.competitions.tournaments.models import (
    Entry,
    Group,
    Lot,
    Pairing,
    Stage,
    State,
    Tournament,
)
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.outbox.delivery import dispatcher
from games.people.models import Outcome, ReportReason, Subject
from games.people.moderation import deciding, reporting
from games.people.moderation.reporting import Reported
from games.people.ports import SpokenLine
from games.play.models.match import Player
from games.play.setups import library
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.talk import commands as talk
from games.talk.models import Line
from tests.competitions.ladders.scene import add_members, open_ladder
from tests.play import match_helpers
from tests.secrecy import chance
from tests.secrecy.games import random_army

DAWN = datetime(2026, 3, 2, 8, tzinfo=UTC)
TERMS = Terms("lattaque-en")
TALK = ("Good luck!", "You will need it.", "Your marshal is on e5, coward.")


@dataclass(frozen=True)
class Scene:
    """Alice and Bob play, Charlie watches, Dora administers the server, stewards look.

    `others` have accounts and do nothing; the victim blocks one of them.
    """

    people: match_helpers.People
    dora: User
    others: tuple[User, User]
    stewards: tuple[User, User]  # staff who look at both armies
    sessions: dict[int, str]  # session keys by user
    tokens: dict[int, str]  # of the API, by user

    def seated(self, seat: Seat) -> User:
        return self.people[seat]


def build() -> Scene:
    """Create it in the database: it stays there for all worlds of a test."""
    with chance.standing(DAWN):
        people = match_helpers.people()
        dora = match_helpers.person("Dora", is_staff=True, is_superuser=True)
        others = (match_helpers.person("Erin"), match_helpers.person("Frank"))
        powers = {"is_staff": True, "is_superuser": True}
        stewards = (
            match_helpers.person("Grace", **powers),
            match_helpers.person("Heidi", **powers),
        )
        match_helpers.decided_match(people)
        alice, bob, _charlie = people
        for owner in (alice, bob):
            lobby.offer(owner, TERMS, kind=InvitationKind.SEAT)
        lobby.offer(alice, TERMS, kind=InvitationKind.CHALLENGE, guest=bob)
        lobby.offer(bob, TERMS, kind=InvitationKind.LINK)
        rules = registry.ruleset("lattaque-en")
        for owner in (*people, dora):
            army = random_army(rules, Seat.SOUTH, Random(owner.pk))
            library.save(owner, rules, Seat.SOUTH, "My own", army.placed)
        _report(people, dora)
        _tournament(people)
        ladder = open_ladder()
        add_members(ladder, 2, DAWN, [alice, bob])
        dispatcher.drain()
        users = (*people, dora)
        sessions = {user.pk: session(user) for user in users}
        tokens = {user.pk: making.create(user, "try", making.SCOPES).text for user in users}
        return Scene(people, dora, others, stewards, sessions, tokens)


def _report(people: match_helpers.People, dora: User) -> None:
    """The message of an invitation is reported, and Dora warns its owner."""
    seat = lobby.offer(people.bob, TERMS, kind=InvitationKind.SEAT, note="Cowards need not apply.")
    note = SpokenLine(0, people.bob.pk, seat.created_at, seat.note)
    reported = Reported(people.bob, Subject.NOTE, (note,), invitation=seat.pk)
    report = reporting.report(people.charlie, reported, ReportReason.ABUSE, "Not nice.")
    deciding.decide(report.pk, dora, Outcome.WARNED, "Be kind.")


def say(match_id: int, victim: User, opponent: User) -> Line:
    """Both have said something, the same in all worlds; returns the newest line, the opponent's.

    Each has read it, so that nobody is notified.
    """
    for writer, text in zip((opponent, victim, opponent), TALK, strict=True):
        line = talk.say(match_id, writer, text)
        for player in Player.objects.filter(match=match_id):
            player.mark_talk_read()
    return line


def _tournament(people: match_helpers.People) -> None:
    """A tournament that runs, in which each world's match may be that of Alice and Bob."""
    tournament = Tournament.objects.create(
        title="Spring",
        preset="lattaque-en",
        pace="3d",
        setup_pace="5d",
        opens_at=DAWN - timedelta(days=9),
        closes_at=DAWN - timedelta(days=1),
        state=State.RUNNING,
    )
    dates = {"started_at": DAWN, "ends_at": DAWN + timedelta(days=365)}
    stage = Stage.objects.create(
        tournament=tournament, number=1, seed="seed", to_open=False, **dates
    )
    group = Group.objects.create(stage=stage, number=1)
    lots = [
        Lot.objects.create(
            group=group,
            number=number,
            entry=Entry.objects.create(
                tournament=tournament,
                user=user,
                status=Entry.Status.PLAYING,
                entered_at=DAWN,
            ),
        )
        for number, user in enumerate(people[:2], 1)
    ]
    Pairing.objects.create(
        group=group, round=1, board=1, south=lots[0], north=lots[1], waiting=False, signs=".."
    )


def session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return str(client.session.session_key)
