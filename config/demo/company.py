"""Competitions and talk of the demo: two tournaments, one of them over, a ladder, some words."""

import contextlib
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from accounts.models import User
from config.demo import matches
from config.demo.season import settle
from games.competitions import sweeps
from games.competitions.ladders import commands as ladders
from games.competitions.ladders.models import Ladder
from games.competitions.tournaments import making
from games.competitions.tournaments.commands import entering
from games.competitions.tournaments.models import Tournament
from games.notifications.catalogue import NOTIFY
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.models.match import Match, Player, Status, by_seat
from games.play.refusals import MatchIsOver
from games.rules.core.basics.pieces import Seat
from games.talk import commands as talk
from lib.db_clock import frozen_at, now

PRESET = "lattaque-en"
PLIES, PLIES_IN_RUNNING = 4, 6
PLAYED_IN_RUNNING = 4  # matches of the running tournament that are over


def fill(dice: random.Random, players: Sequence[User]) -> None:
    """Everything, with these players; results up to 30 days ago are rated already."""
    today = now()
    over = tournament(players, "Autumn tournament", today - timedelta(days=28))
    play_all(dice, over, today - timedelta(days=22), finish=len(players) ** 2)
    with frozen_at(today - timedelta(days=16)):
        sweep()
    ladder(dice, players, today)
    running = tournament(players, "Winter tournament", today - timedelta(days=9))
    play_all(dice, running, today - timedelta(days=2), finish=PLAYED_IN_RUNNING)
    with frozen_at(today - timedelta(hours=1)):
        sweep()
    some_talk(running)


def tournament(players: Sequence[User], title: str, opened: datetime) -> Tournament:
    """A tournament that these players entered, drawn three days after it was opened."""
    closes = opened + timedelta(days=3)
    with frozen_at(opened):
        given = {"title": title, "preset": PRESET, "rated": True, "closes_at": closes}
        made = making.make(given | {"min_finished": 0})
        for user in players:
            entering.enter(made.pk, user)
    with frozen_at(closes):
        sweep()
    return made


def play_all(dice: random.Random, made: Tournament, at: datetime, *, finish: int) -> None:
    """Play some plies of each match of a tournament, and end the first `finish` of them."""
    opened = Match.objects.filter(event=made.event_key).order_by("pk")
    for number, match in enumerate(opened):
        with frozen_at(at + timedelta(minutes=number)):
            play_on(dice, match, resigned=number < finish)


def play_on(dice: random.Random, match: Match, *, resigned: bool) -> None:
    """Set up both armies and play some plies; the later to sign up is likelier to resign."""
    south, north = (player.user for _seat, player in sorted(by_seat(match).items()))
    matches.set_up_and_move(dice, match, south, north, PLIES if resigned else PLIES_IN_RUNNING)
    if resigned:
        stronger, weaker = sorted((south, north), key=lambda user: user.pk)
        with contextlib.suppress(MatchIsOver):
            endings.resign(match.pk, stronger if dice.random() < 0.25 else weaker)


def ladder(dice: random.Random, players: Sequence[User], today: datetime) -> None:
    """A ladder of L'Attaque; one challenge is settled, another runs."""
    terms = {"pace": "3d", "setup_pace": "5d", "vacations": True, "rated": True}
    joined = today - timedelta(days=15)
    made = Ladder.objects.create(family="lattaque", preset=PRESET, opened_at=joined, **terms)
    with frozen_at(joined):
        for user in players:
            ladders.join(made.family, user)
    above, below = players[-2:]
    with frozen_at(today - timedelta(days=13)):
        won = ladders.challenge(made.family, below, above.username)
        seats = {player.user_id: player.user for player in by_seat(won).values()}
        matches.set_up_and_move(dice, won, *_in_order(won), PLIES)
        with contextlib.suppress(MatchIsOver):
            endings.resign(won.pk, seats[above.pk])
    with frozen_at(today - timedelta(days=12)):
        sweep()
    with frozen_at(today - timedelta(days=1)):
        ladders.challenge(made.family, players[2], players[1].username)


def some_talk(made: Tournament) -> None:
    """A few words between the players of a running match."""
    running = Match.objects.filter(event=made.event_key, status=Status.RUNNING).order_by("pk")
    south, north = _in_order(running[0])
    for user, text in (
        (south, "Good luck, and a fine tournament!"),
        (north, "Thank you, to you as well. I have not met this opening before."),
        (south, "It will not last, I fear."),
    ):
        talk.say(running[0].pk, user, text)


def sweep() -> None:
    """Do all that is due in ratings and competitions; nobody is notified of what is past."""
    settle()
    for _name, _count in sweeps.run_all():
        pass
    settle()
    Dispatch.objects.filter(handler=NOTIFY).delete()
    Player.objects.filter(live=False).update(unseen=False)


def _in_order(match: Match) -> tuple[User, User]:
    """The players, South first."""
    seats = by_seat(match)
    return seats[Seat.SOUTH].user, seats[Seat.NORTH].user
