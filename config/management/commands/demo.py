"""`manage.py demo`: a few people with matches at every stage, for a newcomer to walk into."""

import contextlib
import random
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import Kind
from games.play import arrangement, commands, library, sight
from games.play.models.match import Match, Status
from games.play.refusals import MatchIsOver
from games.rules import registry
from games.rules.core import notation
from games.rules.core.army import Seat

PASSWORD = "hidden-army"  # noqa: S105 - of the demo people, printed at every start
PLAYERS = ("anna", "bert", "clara")
STAFF = "umpire"


class Command(BaseCommand):
    help = "Makes demo people with running and finished matches, once."

    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.filter(username=PLAYERS[0]).exists():
            self.stdout.write("The demo people are here already.")
            return
        # One transaction is one write to the disk instead of one for each ply.
        with transaction.atomic():
            self.fill()
        self.stdout.write(f"Made {len(PLAYERS)} demo players with {Match.objects.count()} matches.")

    def fill(self) -> None:
        anna, bert, clara = (
            # A newcomer wants to see a letter as soon as they have moved.
            User.objects.create_confirmed(
                name, f"{name}@example.org", PASSWORD, notices={"rhythm": "now"}
            )
            for name in PLAYERS
        )
        User.objects.create_superuser(STAFF, f"{STAFF}@example.org", PASSWORD)
        dice = random.Random(1909)  # noqa: S311 - a demo may be the same every time
        running(dice, anna, bert, "lattaque-en", 33)
        running(dice, bert, anna, "lattaque-zh", 30)
        running(dice, anna, clara, "lattaque-gibson", 12)
        open_table(clara, anna, "lattaque-en")
        # At random a match may be over sooner than it is given up; then that is how it ended.
        with contextlib.suppress(MatchIsOver):
            commands.resign(play(dice, bert, clara, "lattaque-en", 28).pk, clara)
        with contextlib.suppress(MatchIsOver):
            drawn = play(dice, clara, anna, "lattaque-zh", 20)
            commands.offer_draw(drawn.pk, clara)
            commands.accept_draw(drawn.pk, anna)
        running(dice, anna, bert, "lattaque-en", 60, temper=0.8)
        running(dice, anna, clara, "tactique", 8, temper=0.2)
        running(dice, bert, anna, "assaut", 11)
        running(dice, clara, anna, "domino", 25, temper=0.9)
        rules = registry.ruleset("lattaque-en")
        library.save(anna, rules, Seat.SOUTH, "First try", library.at_random(rules))
        english = partial(lobby.offer, preset="lattaque-en", pace="3d", setup_pace="3d")
        english(bert, kind=Kind.SEAT)
        english(clara, kind=Kind.CHALLENGE, guest=anna, note="A return match?")


def open_table(south: User, north: User, preset: str) -> Match:
    seats = {Seat.SOUTH: south, Seat.NORTH: north}
    return commands.open_match(preset=preset, switches={}, seats=seats, pace="3d", setup_pace="3d")


def running(
    dice: random.Random, south: User, north: User, preset: str, plies: int, temper: float = 0.4
) -> None:
    """A match still running after so many plies: at random, some are over before."""
    while True:
        before = transaction.savepoint()
        match = play(dice, south, north, preset, plies, temper)
        if Match.objects.get(pk=match.pk).is_live:
            return
        transaction.savepoint_rollback(before)


def army(dice: random.Random, match: Match, user: User, seat: Seat) -> str:
    """A set-up at random; which tiles were dealt, the match alone knows."""
    rules = match.rules
    if rules.family == "domino":
        return arrangement.to_text(rules, seat, commands.random_setup(match.pk, user))
    return notation.write_move(rules, rules.random_setup(seat, dice, rules.start(dice)))


def play(
    dice: random.Random, south: User, north: User, preset: str, plies: int, temper: float = 0.4
) -> Match:
    """A match played at random for so many plies, with a liking for battles of `temper`, 0 to 1."""
    match = open_table(south, north, preset)
    for user, seat in ((south, Seat.SOUTH), (north, Seat.NORTH)):
        # In Assaut, the soldiers have nothing to set up.
        if sight.look(match.pk, user).my_turn:
            commands.submit_move(match.pk, user, army(dice, match, user, seat), None)
    for ply in range(plies):
        look = sight.look(match.pk, (south, north)[ply % 2])
        if look.match.status != Status.RUNNING:
            break
        moves = [notation.write_move(match.rules, move) for move in look.observation.moves]
        battles = [move for move in moves if "x" in move]
        chosen = dice.choice(battles if battles and dice.random() < temper else moves)
        commands.submit_move(match.pk, (south, north)[ply % 2], chosen, look.number)
    return match
