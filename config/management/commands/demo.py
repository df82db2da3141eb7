"""`manage.py demo`: demo users with matches at every stage."""

import contextlib
import random
from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations
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
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.commands import endings, finality, matches, moves
from games.play.models.match import Match, Player, Status
from games.play.record import match_view
from games.play.refusals import MatchIsOver
from games.play.setups import arrangement, library, placing
from games.play.terms import Terms
from games.ratings import numbering
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation
from lib.db_clock import frozen_at, now

PASSWORD = "hidden-army"  # noqa: S105 - public, printed at every start of the demo
PLAYERS = ("anna", "bert", "clara")
STAFF = "umpire"
# Rated matches of the last months: as many as count, so that the leader table lists everybody.
SEASON_MONTHS, SEASON_MATCHES, SEASON_PLIES = 5, 3, 4
WON_BY_STRONGER = 0.7


def exists() -> bool:
    """Whether this database has the demo's users, even if others have signed up since."""
    has_staff: bool = User.objects.filter(username=STAFF, email=address(STAFF)).exists()
    return has_staff


def address(name: str) -> str:
    return f"{name}@example.org"


def why_not_in_this_database() -> str:
    """Why this database must not get the demo's users: a sentence; "" if it may or has them.

    Only reads; the tables may be missing or from an older version.
    """
    if User._meta.db_table not in connection.introspection.table_names():
        return ""
    if User.objects.exclude(username__istartswith=HOUSE).exists() and not exists():
        return (
            "This database has users already. The demo would show their e-mails to everybody and "
            "add a superuser with a public password. Name another database with DATABASE_URL, or "
            "another folder with VAR_DIR."
        )
    return ""


class Command(BaseCommand):
    help = "Creates demo users with running and finished matches, once."

    def handle(self, *args: Any, **options: Any) -> None:
        if sentence := unsafe_settings.why_no_demo() or why_not_in_this_database():
            raise CommandError(sentence)
        if exists():
            self.stdout.write("The demo users exist already.")
            return
        # One transaction is one write to the disk instead of one for each ply.
        with transaction.atomic():
            self.fill()
        count = Match.objects.count()
        self.stdout.write(f"Created {len(PLAYERS)} demo players with {count} matches.")

    def fill(self) -> None:
        anna, bert, clara = (
            # Somebody trying the demo should see an e-mail as soon as they have moved.
            User.objects.create_confirmed(
                name, address(name), PASSWORD, notification_preferences={"frequency": "now"}
            )
            for name in PLAYERS
        )
        User.objects.create_superuser(STAFF, address(STAFF), PASSWORD)
        dice = random.Random(1909)  # noqa: S311 - the demo is the same every time
        season(dice, (anna, bert, clara))
        running(dice, anna, bert, "lattaque-en", 33)
        running(dice, bert, anna, "lattaque-zh", 30)
        running(dice, anna, clara, "lattaque-gibson", 12)
        open_match(clara, anna, "lattaque-en")
        # Random moves may have ended the match before it is resigned or drawn.
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


def season(dice: random.Random, players: Sequence[User]) -> None:
    """Rated matches of the last months, each resigned after a few moves; the strongest first."""
    end = now()
    joined = end - timedelta(days=31 * SEASON_MONTHS + 1)
    User.objects.filter(pk__in=[user.pk for user in players]).update(date_joined=joined)
    for month in range(SEASON_MONTHS, 0, -1):
        for number, pair in enumerate([*combinations(players, 2)] * SEASON_MATCHES):
            stronger, weaker = pair
            loser = weaker if dice.random() < WON_BY_STRONGER else stronger
            south, north = dice.sample(pair, 2)
            with frozen_at(end - timedelta(days=31 * month - number)):
                match = play(dice, south, north, "lattaque-en", SEASON_PLIES, rated=True)
                with contextlib.suppress(MatchIsOver):
                    endings.resign(match.pk, loser)
    # Nobody is notified of them: they are over, and everybody has seen the results.
    Player.objects.update(unseen=False)
    Dispatch.objects.all().delete()
    finality.sweep()
    while dispatcher.drain():
        pass
    numbering.count()


def open_match(south: User, north: User, preset: str, *, rated: bool = False) -> Match:
    terms = Terms(preset, rated=rated)
    return matches.open_match(terms, {Seat.SOUTH: south, Seat.NORTH: north})


def running(
    dice: random.Random, south: User, north: User, preset: str, plies: int, temper: float = 0.4
) -> None:
    """Play a match of this many plies that is still running; replay it if it ended earlier."""
    while True:
        before = transaction.savepoint()
        match = play(dice, south, north, preset, plies, temper)
        if Match.objects.get(pk=match.pk).is_live:
            return
        transaction.savepoint_rollback(before)


def against_the_house(dice: random.Random, user: User) -> None:
    """Open a match in which the house is to move; it does once its worker runs."""
    match = play_the_house(user, preset="lattaque-en", level=RECRUIT.name, seat=Seat.SOUTH)
    moves.submit_move(match.pk, user, army(dice, match, user, Seat.SOUTH), None)
    view = match_view.view_match(match.pk, user)
    legal = [notation.write_move(match.rules, move) for move in view.observation.moves]
    moves.submit_move(match.pk, user, dice.choice(legal), view.number)


def army(dice: random.Random, match: Match, user: User, seat: Seat) -> str:
    """The text of a random set-up; in domino, with the tiles that the match has dealt."""
    rules = match.rules
    if arrangement.is_dealt(rules):
        return arrangement.to_text(rules, seat, moves.random_setup(match.pk, user))
    return notation.write_move(rules, rules.random_setup(seat, dice, rules.start(dice)))


def play(
    dice: random.Random,
    south: User,
    north: User,
    preset: str,
    plies: int,
    temper: float = 0.4,
    *,
    rated: bool = False,
) -> Match:
    """Play a match of random plies; `temper` is the probability of choosing a battle if any."""
    match = open_match(south, north, preset, rated=rated)
    for user, seat in ((south, Seat.SOUTH), (north, Seat.NORTH)):
        # In Assaut, the soldiers have no set-up.
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
