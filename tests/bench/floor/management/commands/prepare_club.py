"""`manage.py prepare_club`: a club's players, signed in, with running matches, printed as JSON."""

import json
import random
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from tests.bench.floor.management.commands.prepare_bench import match, person, sign_in

PLAYED = 6  # plies of each match


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--matches", type=int, required=True)
        parser.add_argument("--to-come", type=int, required=True)

    def handle(self, *args: Any, players: int, matches: int, to_come: int, **options: Any) -> None:
        dice = random.Random(1909)
        people = [person(f"member{number}") for number in range(players)]
        made = []
        for seed in range(matches):
            # Everybody plays somebody, and some play more than others.
            south = people[seed % players]
            north = dice.choice([each for each in people if each != south])
            with transaction.atomic():
                prepared = match(south, north, seed, PLAYED, to_come)
            made.append({**prepared, "players": [south.pk, north.pk]})
        sessions = {user.pk: sign_in(user) for user in people}
        self.stdout.write(json.dumps({"sessions": sessions, "matches": made}))
