"""`manage.py prepare_bench`: people, sessions and matches for the benchmark, printed as JSON.

Each match is played so many plies far; the moves that would follow are listed, to be sent. With
`--busy 1` South has unread talk in every match, and in every other one private notes and a plan
whose answer waits.
"""

import json
import random
import time
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from accounts.models import User
from accounts.user_sessions.listing import SEEN
from games.idempotency import signed_keys
from games.notifications.policy.preferences import Frequency
from games.play.commands import matches, moves
from games.play.models.match import Player
from games.play.models.plan import PlanRow, PlanState
from games.play.record.sealed import notebooks, plans
from games.play.record.sealed.plans import Contents
from games.play.terms import Terms
from games.rules.core import engine
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text import notation
from lib.db_clock import now
from tests.bench.floor import CLIENTS
from tests.bench.floor.models import Game

PRESET = "lattaque-en"  # 10 by 10
LONG = 400  # plies; at random, hardly a match lasts longer
TOO_QUIET = 100  # plies without a battle


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=1)
        parser.add_argument("--played", type=int, default=60)
        parser.add_argument("--to-come", type=int, default=0)
        parser.add_argument("--busy", type=int, default=0)
        parser.add_argument("--pairs", type=int, default=1, help="of people, who take turns")

    def handle(
        self,
        *args: Any,
        matches: int,
        played: int,
        to_come: int,
        busy: int,
        pairs: int,
        **options: Any,
    ) -> None:
        couples = [(person(f"south{n or ''}"), person(f"north{n or ''}")) for n in range(pairs)]
        with transaction.atomic():
            made = [match(*couples[n % pairs], n, played, to_come) for n in range(matches)]
            if busy:
                for number, each in enumerate(made):
                    fill(each["id"], with_plan=number % 2 == 0)
        sessions = [[sign_in(user) for user in couple] for couple in couples]
        for number, each in enumerate(made):
            each["sessions"] = sessions[number % pairs]
        people = dict(zip(("south", "north"), sessions[0], strict=True))
        other = person("other").pk  # who plays no match
        games = [Game.objects.create().pk for _ in range(CLIENTS)]
        prepared = {"people": people, "matches": made, "games": games, "other": other}
        self.stdout.write(json.dumps(prepared))


def person(name: str) -> User:
    """Somebody who wants every e-mail at once."""
    user = User.objects.filter(username=name).first()
    return user or User.objects.create_confirmed(
        name, f"{name}@example.org", notification_preferences={"frequency": Frequency.NOW}
    )


def sign_in(user: User) -> str:
    """The key of a session in which `user` is logged in and was seen just now."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    (session[BACKEND_SESSION_KEY],) = settings.AUTHENTICATION_BACKENDS
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[SEEN] = int(time.time())
    session.save()
    return str(session.session_key)


def match(south: User, north: User, seed: int, played: int, to_come: int) -> dict[str, Any]:
    """A running match, `played` plies far, and the moves that may follow one after the other.

    Each of those has the idempotency key of the form in which it is sent.
    """
    users = {Seat.SOUTH: south, Seat.NORTH: north}
    opened = matches.open_match(Terms(PRESET), users)
    rules, dice = opened.rules, random.Random(seed)
    setups, texts = game(rules, dice, played + to_come)
    for seat, text in setups.items():
        moves.submit_move(opened.pk, users[seat], text, None)
    opened.refresh_from_db()
    for number, text in enumerate(texts[:played]):
        moves.submit_move(opened.pk, users[Seat(number % 2)], text, opened.ply + number)
    return {
        "id": opened.pk,
        "ply": opened.ply + played,
        "to_come": texts[played:],
        "keys": [
            signed_keys.issue(users[Seat(number % 2)].pk) for number in range(played, len(texts))
        ],
    }


def fill(match_id: int, *, with_plan: bool) -> None:
    """Give South unread talk and, `with_plan`, notes and a plan whose answer waits."""
    south = Player.objects.select_related("match").get(match=match_id, seat=Seat.SOUTH)
    Player.objects.filter(pk=south.pk).update(talk_unread=2)
    if with_plan:
        notebooks.store_note(south.pk, "Weak on the left; the marshal may be on the other side.")
        due_at = now() + timedelta(days=1)
        row = PlanRow(south.match.ply - 1, 0, PlanState.STANDING, due_at, due_at, [])
        plans.store(south.pk, row, Contents(("otherwise a1-a2",), answer="a1-a2"), None)


def game(rules: Ruleset, dice: random.Random, plies: int) -> tuple[dict[Seat, str], list[str]]:
    """Set-ups and the first moves of a random game that lasts longer than that."""
    while True:
        position = start = engine.begin(rules, dice)
        setups = {seat: rules.random_setup(seat, dice, start) for seat in Seat}
        for seat, setup in setups.items():
            position, _ = engine.advance(rules, position, seat, setup)
        moves = list(islice(play(rules, dice, position, hold_back=plies > LONG), plies))
        if len(moves) == plies:
            return {seat: notation.write_move(rules, each) for seat, each in setups.items()}, moves


def play(rules: Ruleset, dice: random.Random, position: Position, hold_back: bool) -> Iterator[str]:
    """Random moves up to the one that would end the game.

    Players who hold back fight only when the game would otherwise be drawn without battles.
    """
    while True:
        moves = {
            notation.write_move(rules, move): move
            for move in rules.legal_moves(position, position.turn)
        }
        texts = list(moves)
        if hold_back:
            battles = position.quiet > TOO_QUIET
            texts = [text for text in texts if ("x" in text) is battles] or texts
        text = dice.choice(texts)
        position, _ = rules.apply(position, position.turn, moves[text])
        if position.outcome is not None:
            return
        yield text
