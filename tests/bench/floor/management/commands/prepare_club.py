"""`manage.py prepare_club`: a club's players, signed in, with running matches, told as JSON.

With `--house` so many matches against the house's marshal besides, in which it is to move.
"""

import json
import random
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from accounts.models import User
from games.deployments.registry import deploy
from games.house.opening import play_the_house
from games.play.commands.moves import submit_move
from games.rules.core.pieces import Seat
from tests.bench.floor.management.commands.prepare_bench import match, person, sign_in

PLAYED = 6  # plies of each match


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--matches", type=int, required=True)
        parser.add_argument("--to-come", type=int, required=True)
        parser.add_argument("--house", type=int, default=0)

    def handle(self, *args: Any, players: int, matches: int, to_come: int, **options: Any) -> None:
        dice = random.Random(1909)
        people = [person(f"member{number}") for number in range(players)]
        made = []
        for seed in range(matches):
            # Everybody plays somebody, and some play more than others.
            south = people[seed % players]
            north = dice.choice([each for each in people if each != south])
            with transaction.atomic():
                told = match(south, north, seed, PLAYED, to_come)
            made.append({**told, "players": [south.pk, north.pk]})
        for number in range(options["house"]):
            _keep_the_house_busy(people[number % players], dice)
        sessions = {user.pk: sign_in(user) for user in people}
        self.stdout.write(json.dumps({"sessions": sessions, "matches": made}))


def _keep_the_house_busy(user: User, dice: random.Random) -> None:
    """Begin a match in which the house has the first move."""
    begun = play_the_house(user, preset="lattaque-en", level="marshal", seat=Seat.NORTH)
    submit_move(begun.pk, user, deploy(begun.rules, Seat.NORTH, (), dice), None)
