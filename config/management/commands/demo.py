"""`manage.py demo`: demo users with matches at every stage."""

import contextlib
import random
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from accounts.models import User
from accounts.values.usernames import HOUSE
from config.environment import unsafe_settings
from games.bots.levels import RECRUIT
from games.house.playing.new_match import play_the_house
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.play.commands import endings, matches, moves
from games.play.models.match import Match, Status
from games.play.record import match_view
from games.play.refusals import MatchIsOver
from games.play.setups import arrangement, library, placing
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation

PASSWORD = "hidden-army"  # noqa: S105 - of the demo users, printed at every start
PLAYERS = ("anna", "bert", "clara")
STAFF = "umpire"


def is_made() -> bool:
    """Whether the demo has made this database, even if others have signed up since."""
    found: bool = User.objects.filter(username=STAFF, email=address(STAFF)).exists()
    return found


def address(name: str) -> str:
    return f"{name}@example.org"


def why_not_in_this_database() -> str:
    """Why the demo must not be made in this database: a sentence; "" if it may, or is there.

    Nothing is written, and the tables may be missing or of an older version.
    """
    if User._meta.db_table not in connection.introspection.table_names():
        return ""
    if User.objects.exclude(username__istartswith=HOUSE).exists() and not is_made():
        return (
            "This database has users of its own. The demo would show their e-mails to anybody, and "
            "add a superuser whose password everybody knows. Name another one with DATABASE_URL, "
            "or another folder with VAR_DIR."
        )
    return ""


class Command(BaseCommand):
    help = "Makes demo users with running and finished matches, once."

    def handle(self, *args: Any, **options: Any) -> None:
        if sentence := unsafe_settings.why_no_demo() or why_not_in_this_database():
            raise CommandError(sentence)
        if is_made():
            self.stdout.write("The demo users are here already.")
            return
        # One transaction is one write to the disk instead of one for each ply.
        with transaction.atomic():
            self.fill()
        self.stdout.write(f"Made {len(PLAYERS)} demo players with {Match.objects.count()} matches.")

    def fill(self) -> None:
        anna, bert, clara = (
            # A newcomer wants to see an e-mail as soon as they have moved.
            User.objects.create_confirmed(
                name, address(name), PASSWORD, notification_preferences={"frequency": "now"}
            )
            for name in PLAYERS
        )
        User.objects.create_superuser(STAFF, address(STAFF), PASSWORD)
        dice = random.Random(1909)  # noqa: S311 - a demo may be the same every time
        running(dice, anna, bert, "lattaque-en", 33)
        running(dice, bert, anna, "lattaque-zh", 30)
        running(dice, anna, clara, "lattaque-gibson", 12)
        open_match(clara, anna, "lattaque-en")
        # At random a match may be over sooner than it is given up; then that is how it ended.
        with contextlib.suppress(MatchIsOver):
            endings.resign(play(dice, bert, clara, "lattaque-en", 28).pk, clara)
        with contextlib.suppress(MatchIsOver):
            drawn = play(dice, clara, anna, "lattaque-zh", 20)
            endings.offer_draw(drawn.pk, clara)
            endings.accept_draw(drawn.pk, anna)
        running(dice, anna, bert, "lattaque-en", 60, temper=0.8)
        running(dice, anna, clara, "tactique", 8, temper=0.2)
        running(dice, bert, anna, "assaut", 11)
        running(dice, clara, anna, "domino", 25, temper=0.9)
        against_the_house(dice, anna)
        rules = registry.ruleset("lattaque-en")
        library.save(anna, rules, Seat.SOUTH, "First try", placing.for_me(rules, Seat.SOUTH, ()))
        english, challenge = Terms("lattaque-en"), InvitationKind.CHALLENGE
        lobby.offer(bert, english, kind=InvitationKind.SEAT)
        lobby.offer(clara, english, kind=challenge, guest=anna, note="A return match?")


def open_match(south: User, north: User, preset: str) -> Match:
    return matches.open_match(Terms(preset), {Seat.SOUTH: south, Seat.NORTH: north})


def running(
    dice: random.Random, south: User, north: User, preset: str, plies: int, temper: float = 0.4
) -> None:
    """A match that is still running after so many plies; played again if it ended before."""
    while True:
        before = transaction.savepoint()
        match = play(dice, south, north, preset, plies, temper)
        if Match.objects.get(pk=match.pk).is_live:
            return
        transaction.savepoint_rollback(before)


def against_the_house(dice: random.Random, user: User) -> None:
    """A match against the house, which is to move: it does as soon as its worker runs."""
    match = play_the_house(user, preset="lattaque-en", level=RECRUIT.name, seat=Seat.SOUTH)
    moves.submit_move(match.pk, user, army(dice, match, user, Seat.SOUTH), None)
    view = match_view.view_match(match.pk, user)
    legal = [notation.write_move(match.rules, move) for move in view.observation.moves]
    moves.submit_move(match.pk, user, dice.choice(legal), view.number)


def army(dice: random.Random, match: Match, user: User, seat: Seat) -> str:
    """A random set-up; in domino, of the tiles that the match has dealt."""
    rules = match.rules
    if arrangement.is_dealt(rules):
        return arrangement.to_text(rules, seat, moves.random_setup(match.pk, user))
    return notation.write_move(rules, rules.random_setup(seat, dice, rules.start(dice)))


def play(
    dice: random.Random, south: User, north: User, preset: str, plies: int, temper: float = 0.4
) -> Match:
    """A match of so many random plies; `temper` is the probability that a battle is preferred."""
    match = open_match(south, north, preset)
    for user, seat in ((south, Seat.SOUTH), (north, Seat.NORTH)):
        # In Assaut, the soldiers have nothing to set up.
        if match_view.view_match(match.pk, user).my_turn:
            moves.submit_move(match.pk, user, army(dice, match, user, seat), None)
    for ply in range(plies):
        view = match_view.view_match(match.pk, (south, north)[ply % 2])
        if view.match.status != Status.RUNNING:
            break
        legal = [notation.write_move(match.rules, move) for move in view.observation.moves]
        battles = [move for move in legal if "x" in move]
        chosen = dice.choice(battles if battles and dice.random() < temper else legal)
        moves.submit_move(match.pk, (south, north)[ply % 2], chosen, view.number)
    return match
