"""A ladder whose challenges are won, missed and annulled, for kills (test_killed_ladders.py)."""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from games.competitions.ladders import commands
from games.competitions.ladders.models import Challenge, Change, Member
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.people.models import Reliability
from games.play.commands import endings, moderation
from games.play.models.match import Match, Status
from lib.db_clock import frozen_at
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import FAMILY, challenge
from tests.competitions.tournaments.playing import end
from tests.races import kills
from tests.races.kills import Facts, Kills
from tests.ratings.results import day


def sweep(at: datetime) -> None:
    with frozen_at(at):
        scene.tick(at)
        while dispatcher.drain():
            pass
        # What the outbox has delivered meanwhile.
        scene.tick(at)


def course(course: Kills) -> Facts:
    """Places change by won challenges, a member leaves, and another is dropped."""
    kills.empty()
    ladder = scene.open_ladder(rated=False)
    users = scene.add_members(ladder, 8, day(1))
    m1, m2, m3, m4, m5, m6, m7, m8 = users

    # The later number is final first.
    later, sooner = _challenge(m4, m2, 2), _challenge(m5, m4, 2)
    end(sooner, m5, day(3))
    end(later, m4, day(3.5))
    _lost_on_time(m7, m6, m7, opened=2)
    missed = _challenge(m3, m1, 2)
    with frozen_at(day(4)):
        endings.abort(missed.pk, m1)
    end(_challenge(m8, m6, 2), None, day(4))
    course.run("settling", day(6), sweep)

    annulled = _lost_on_time(m7, m5, m7, opened=8)
    running = _challenge(m7, m2, 8)
    left = _challenge(m6, m4, 8)
    with frozen_at(day(9)):
        assert not commands.leave(FAMILY, m4)
    end(left, m6, day(9.5))
    # One is to be dropped, and one leaves.
    course.run("sending off", day(12), sweep)

    def annul(at: datetime) -> None:
        with frozen_at(at):
            if Match.objects.get(pk=annulled.pk).status != Status.VOID:
                moderation.void(annulled.pk, "The server stood still.")
        sweep(at)

    course.run("annulling", day(13), annul)
    # The second miss after all, and the end of what they still had to play.
    _lost_on_time(m8, m7, m7, opened=14)
    end(running, m7, day(17.5))
    course.run("dropping", day(18), sweep)
    return _facts()


def _challenge(challenger: User, challenged: User, opened: float) -> Match:
    match = challenge(challenger, challenged, day(opened))
    # A player who resigns before two moves has missed it.
    match.players.update(turns=10)
    return match


def _lost_on_time(challenger: User, challenged: User, late: User, opened: float) -> Match:
    """A challenge that one of the two loses on time a day later."""
    match = _challenge(challenger, challenged, opened)
    winner = challenged if late == challenger else challenger
    end(match, winner, day(opened + 1), on_time=True)
    return match


def _facts() -> Facts:
    changes = Change.objects.order_by("pk")
    settled = Challenge.objects.filter(settled_at__isnull=False)
    return {
        "members": kills.rows(Member),
        # Not the instant at which a sweep came to it, which is later after a kill.
        "challenges": kills.rows(Challenge, "settled_at"),
        "settled": sorted(settled.values_list("match", flat=True)),
        "changes": list(changes.values_list("user", "from_place", "to_place", "why", "match")),
        "reliability": kills.rows(Reliability),
        "outbox": kills.outbox(),
        "given up": Dispatch.objects.exclude(error="").count(),
    }
