"""A season of rated matches with two corrections, for kills (test_killed_ratings.py).

A match that has counted is annulled, and one of a set that has counted goes on, so that all results
after each are rated again. Then the set ends again and gets another number.
"""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.people.models import Reliability
from games.play.commands import endings, finality, moderation
from games.play.commands.matches import open_match
from games.play.models.match import Match, Status
from games.play.models.time import LossOnTime
from games.play.terms import Terms
from games.ratings import tasks
from games.ratings.models import Family, FinalUnit, Rating, Unit
from games.ratings.replay import differences
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at
from tests.competitions.tournaments.playing import end, members
from tests.races import kills
from tests.races.kills import Facts, Kills
from tests.ratings.results import day


def count(at: datetime) -> None:
    """The three tasks through which a result comes into the ratings."""
    with frozen_at(at):
        finality.sweep()
        while dispatcher.drain():
            pass
        tasks.count()


def opened(south: User, north: User, at: datetime, *, as_set: bool = False) -> Match:
    terms = Terms("lattaque-en", pace="3d", setup_pace="5d", rated=True, as_set=as_set)
    with frozen_at(at):
        return open_match(terms, {Seat.SOUTH: south, Seat.NORTH: north})


def counting(course: Kills) -> Facts:
    """Six results count."""
    kills.empty()
    _season(course)
    return _facts()


def with_corrections(course: Kills) -> Facts:
    """Six results count, two of them are corrected, and three more count."""
    kills.empty()
    a, b, c, d, e, on_time, twin = _season(course)

    def annul(at: datetime) -> None:
        with frozen_at(at):
            if Match.objects.get(pk=on_time.pk).status != Status.VOID:
                moderation.void(on_time.pk, "The server stood still.")
        count(at)

    def reopen(at: datetime) -> None:
        with frozen_at(at):
            if Match.objects.get(pk=twin.pk).finished_at is not None:
                moderation.reopen(twin.pk, "They were ill.")
        count(at)

    course.run("annulling", day(10), annul)
    end(opened(a, c, day(10.5)), c, day(11))
    end(opened(e, b, day(10.5)), None, day(11.1))
    course.run("reopening", day(11.5), reopen)
    twin.refresh_from_db()
    end(twin, d, day(12))
    course.run("counting again", day(12.5), count)
    return _facts()


def _season(course: Kills) -> tuple[User, User, User, User, User, Match, Match]:
    """Members, a match of them that was lost on time, and one of a set without a set-up."""
    a, b, c, d, e = members(5)
    User.objects.update(match_emails=False)
    end(opened(a, b, day(0)), a, day(1))
    on_time = opened(b, c, day(0))
    end(on_time, b, day(2), on_time=True)
    first = opened(c, d, day(0), as_set=True)
    end(first, c, day(3))
    end(opened(a, c, day(0)), None, day(4))
    assert first.twin is not None
    with frozen_at(day(5.1)):
        assert endings.claim_time(first.twin.pk)
    end(opened(d, e, day(4)), d, day(8))
    end(opened(a, d, day(4)), d, day(8.5))
    course.run("counting", day(9), count)
    return a, b, c, d, e, on_time, first.twin


def _facts() -> Facts:
    return {
        "units": kills.rows(Unit),
        "waiting": kills.rows(FinalUnit),
        "families": kills.rows(Family),
        "ratings": kills.rows(Rating),
        "reliability": kills.rows(Reliability),
        "losses": kills.rows(LossOnTime),
        "matches": list(
            Match.objects.order_by("pk").values_list("pk", "status", "result", "ply", "is_final")
        ),
        "outbox": kills.outbox(),
        "given up": Dispatch.objects.exclude(error="").count(),
        "differences": list(differences("lattaque")),
    }
