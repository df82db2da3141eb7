"""What both worlds share before their match begins: people, sessions, other matches."""

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from django.test import Client

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.outbox.delivery import dispatcher
from games.play.setups import library
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests.competitions.ladders.scene import add_members, open_ladder
from tests.play import match_helpers
from tests.secrecy import chance
from tests.secrecy.games import random_army

DAWN = datetime(2026, 3, 2, 8, tzinfo=UTC)
TERMS = Terms("lattaque-en")


@dataclass(frozen=True)
class Scene:
    """Alice and Bob play, Charlie watches, Dora administers the server."""

    people: match_helpers.People
    dora: User
    sessions: dict[int, str]  # session keys by user

    def seated(self, seat: Seat) -> User:
        return self.people[seat]


def build() -> Scene:
    """Create it in the database: it stays there for all worlds of a test."""
    with chance.standing(DAWN):
        people = match_helpers.people()
        dora = match_helpers.person("Dora", is_staff=True, is_superuser=True)
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
        ladder = open_ladder()
        add_members(ladder, 2, DAWN, [alice, bob])
        dispatcher.drain()
        return Scene(people, dora, {user.pk: session(user) for user in (*people, dora)})


def session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return str(client.session.session_key)
