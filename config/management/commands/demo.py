"""`manage.py demo`: demo users with matches at every stage."""

import contextlib
import random
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from accounts.models import User
from accounts.values.usernames import HOUSE
from config.demo import company, season
from config.demo import matches as demo_matches
from config.environment import unsafe_settings
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.people.standing import reliability
from games.play.commands import endings
from games.play.models.match import Match
from games.play.refusals import MatchIsOver
from games.play.setups import library, placing
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.basics.pieces import Seat

PASSWORD = "hidden-army"  # noqa: S105 - public, printed at every start of the demo
PLAYERS = ("anna", "bert", "clara")
OTHERS = ("dora", "emil", "fritz")  # in tournaments and on the ladder
STAFF = "umpire"


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
        self.stdout.write(
            f"Created {len(PLAYERS) + len(OTHERS)} demo players with {count} matches."
        )

    def fill(self) -> None:
        players = [
            # Somebody trying the demo should see an e-mail as soon as they have moved.
            User.objects.create_confirmed(
                name, address(name), notification_preferences={"frequency": "now"}
            )
            for name in (*PLAYERS, *OTHERS)
        ]
        anna, bert, clara = players[: len(PLAYERS)]
        staff = User.objects.create_superuser(STAFF, address(STAFF))
        # Hashing is slow by intention, so the one password is hashed once.
        everybody = User.objects.filter(pk__in=[user.pk for user in (*players, staff)])
        everybody.update(password=make_password(PASSWORD))
        dice = random.Random(1909)  # noqa: S311 - the demo is the same every time
        season.play_season(dice, players[: len(PLAYERS)])
        company.fill(dice, players)
        for user in players:
            reliability.renew(user)
        demo_matches.running(dice, anna, bert, "lattaque-en", 33)
        demo_matches.running(dice, bert, anna, "lattaque-zh", 30)
        demo_matches.running(dice, anna, clara, "lattaque-gibson", 12)
        demo_matches.open_match(clara, anna, "lattaque-en")
        # Random moves may have ended the match before it is resigned or drawn.
        with contextlib.suppress(MatchIsOver):
            endings.resign(demo_matches.play(dice, bert, clara, "lattaque-en", 28).pk, clara)
        with contextlib.suppress(MatchIsOver):
            drawn = demo_matches.play(dice, clara, anna, "lattaque-zh", 20)
            endings.offer_draw(drawn.pk, clara)
            endings.accept_draw(drawn.pk, anna)
        demo_matches.running(dice, anna, bert, "lattaque-en", 60, temper=0.8)
        demo_matches.running(dice, anna, clara, "tactique", 8, temper=0.2)
        demo_matches.running(dice, bert, anna, "assaut", 11)
        demo_matches.running(dice, clara, anna, "domino", 25, temper=0.9)
        demo_matches.against_the_house(dice, anna)
        rules = registry.ruleset("lattaque-en")
        library.save(anna, rules, Seat.SOUTH, "First try", placing.for_me(rules, Seat.SOUTH, ()))
        english, challenge = Terms("lattaque-en"), InvitationKind.CHALLENGE
        lobby.offer(bert, english, kind=InvitationKind.SEAT)
        lobby.offer(clara, english, kind=challenge, guest=anna, note="A return match?")
