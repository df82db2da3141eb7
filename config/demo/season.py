"""A season of the demo: rated results of the last months, and how results become final."""

import contextlib
import random
from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations

from accounts.models import User
from config.demo.matches import play
from config.subscribers import RELIABILITY
from games.notifications.catalogue import NOTIFY
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.commands import endings, finality
from games.play.models.match import Player
from games.play.refusals import MatchIsOver
from games.ratings import numbering
from lib.db_clock import frozen_at, now

# Rated matches of the last months: as many as count, so that the leader table lists everybody.
MONTHS, MATCHES_A_MONTH, PLIES = 5, 2, 4
WON_BY_STRONGER = 0.7


def play_season(dice: random.Random, players: Sequence[User]) -> None:
    """Rated matches of the last months, each resigned after a few moves; the strongest first."""
    end = now()
    joined = end - timedelta(days=31 * MONTHS + 1)
    User.objects.filter(pk__in=[user.pk for user in players]).update(date_joined=joined)
    for month in range(MONTHS, 0, -1):
        for number, pair in enumerate([*combinations(players, 2)] * MATCHES_A_MONTH):
            stronger, weaker = pair
            loser = weaker if dice.random() < WON_BY_STRONGER else stronger
            south, north = dice.sample(pair, 2)
            with frozen_at(end - timedelta(days=31 * month - number)):
                match = play(dice, south, north, "lattaque-en", PLIES, rated=True)
                with contextlib.suppress(MatchIsOver):
                    endings.resign(match.pk, loser)
    settle()


def settle() -> None:
    """Make results final, and have them rated and counted; nobody is notified of them.

    Players' reliability is left to the end, since it is computed from all of their matches.
    """
    Player.objects.filter(live=False).update(unseen=False)
    finality.sweep()
    Dispatch.objects.filter(handler__in=[NOTIFY, RELIABILITY.key]).delete()
    while dispatcher.drain():
        pass
    numbering.count()
