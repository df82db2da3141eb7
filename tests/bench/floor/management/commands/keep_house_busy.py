"""`manage.py keep_house_busy`: matches against the house's marshal that go on until input ends.

A player who has been answered moves again within a second, at a random time; a finished match is
replaced by a new one.
"""

import random
import select
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import QuerySet

from accounts.models import User
from games.deployments.registry import deploy
from games.house import house_accounts
from games.house.playing.new_match import play_the_house
from games.play.commands.moves import submit_move
from games.play.models.match import Player
from games.play.record.match_view import view_match
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text.notation import write_move

PAUSE_SECONDS = 1.0  # between two looks at whose turn it is


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, required=True)

    def handle(self, *args: Any, matches: int, **options: Any) -> None:
        self.dice = random.Random(1909)
        self.people = list(User.objects.filter(username__startswith="member").order_by("pk"))
        self.begun = self.moves = 0
        for _ in range(matches):
            self.begin()
        self.stdout.write("begun")
        self.stdout.flush()
        while not select.select([sys.stdin], [], [], PAUSE_SECONDS)[0]:
            for _ in range(matches - self.running().count()):
                self.begin()
            for player in self.running().filter(to_act=True).select_related("user"):
                self.move(player)
        self.stdout.write(f"{self.moves} moves in {self.begun} matches")

    def running(self) -> QuerySet[Player]:
        """The people in matches against the house that go on."""
        house = User.objects.filter(username__in=house_accounts.NAMES)
        return Player.objects.filter(live=True, match__players__user__in=house).exclude(
            user__in=house
        )

    def begin(self) -> None:
        """Begin a match in which the house has the first move."""
        user = self.people[self.begun % len(self.people)]
        self.begun += 1
        match = play_the_house(user, preset="lattaque-en", level="marshal", seat=Seat.NORTH)
        submit_move(match.pk, user, deploy(match.rules, Seat.NORTH, (), self.dice), None)

    def move(self, player: Player) -> None:
        view = view_match(player.match_id, player.user)
        text = write_move(view.rules, self.dice.choice(list(view.observation.moves)))
        try:
            submit_move(player.match_id, player.user, text, view.number)
        except Refusal:
            return  # The match is over meanwhile.
        self.moves += 1
