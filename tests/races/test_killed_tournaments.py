"""Kills in the middle of a tournament's sweeps, on real PostgreSQL.

A worker is killed at any statement, or right before or after a commit, while it draws, opens
matches, settles results, ends a stage and begins the final. Once the sweeps have run again, the
tables, the matches and the rows of the outbox are those of a tournament without a kill.
"""

import json
import os
from collections.abc import Callable

import pytest

from tests.servers import Postgres
from tests.stack import Stack

ROUNDS = int(os.environ.get("TOURNAMENT_ROUNDS", "3"))

SCRIPT = """
from collections import Counter
from datetime import timedelta

from accounts.models import User
from games.competitions.tournaments.commands import opening
from games.competitions.tournaments.models import Pairing, Stage, State
from games.outbox.models import Dispatch
from games.play.models.match import Match, Player
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import CLOSES, after
from tests.races.kills import compare

PHASES = ("draw", "stage", "final")
opening.BATCH = 2  # so that a stage takes several transactions
users = playing.members(6)
User.objects.update(match_emails=False)

def winner(users):
    # Draws, wins of either.
    return (None, min(users), max(users))[sum(users) % 3]

def play(kills):
    made = playing.entered(
        users, rated=False, stages=2, places=2, group_size=3, at_once=1, seed="kills",
        max_entries=6,
    )
    for phase, at in zip(PHASES, (CLOSES, after(10), after(30))):
        if phase != "draw":
            # With one match at a time a stage takes some rounds.
            for hour in range(9):
                instant = at - timedelta(hours=60 - 4 * hour)
                last = not Pairing.objects.filter(
                    group__stage__tournament=made, waiting=True
                ).exists()
                playing.end_all(made, instant, winner)
                # Nobody has resigned before two moves.
                Player.objects.update(missed_at=None)
                if last:
                    break
                playing.tick(instant)
        kills.run(phase, at, playing.tick)
    made.refresh_from_db()
    matches = Match.objects.filter(event=made.event_key)
    of_pairings = Pairing.objects.filter(group__stage__tournament=made).values_list("match")
    rows = Dispatch.objects.filter(ref__tournament=made.pk).values_list("event", "user")
    return {
        "table": [row.partition(",")[2] for row in playing.csv(made).splitlines()],
        # Without the numbers of the tournament and of its matches.
        "pairings": [
            row.split(",")[1:9] + row.split(",")[11:]
            for row in playing.csv(made, pairings=True).splitlines()
        ],
        "over": made.state == State.FINISHED,
        "stages": Stage.objects.filter(tournament=made).count(),
        "once": sorted(of_pairings) == sorted(matches.values_list("pk")),
        "rows": sorted([*pair, count] for pair, count in Counter(rows).items()),
    }

compare(play, rounds=$ROUNDS, seed=$SEED)
"""


def kill(stack: Callable[..., Stack], postgres: Postgres, rounds: int, seed: int) -> None:
    url = postgres.create("tournaments")
    service = stack(database_url=url, web=0, workers=0, beat=0)
    script = SCRIPT.replace("$ROUNDS", str(rounds)).replace("$SEED", str(seed))
    outcome = json.loads(service.shell(script).splitlines()[-1])
    whole = outcome["whole"]
    # The tournament that all are compared with is a whole one: 6 matches, and 6 of the final.
    assert whole["over"] and whole["once"]
    assert whole["stages"] == 2
    assert len(whole["pairings"]) == 1 + 12
    assert whole["rows"]
    assert min(outcome["steps"].values()) > 50
    assert outcome["wrong"] == []
    # A kill comes in each phase.
    assert outcome["kills"] == 3 * rounds


@pytest.mark.soak
@pytest.mark.servers
def test_a_killed_sweep_does_not_change_the_course_of_a_tournament(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    kill(stack, postgres, ROUNDS, seed=0)


@pytest.mark.servers
@pytest.mark.soak
def test_two_hundred_kills_do_not_change_the_course_of_a_tournament(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    kill(stack, postgres, int(os.environ.get("TOURNAMENT_ROUNDS", "67")), seed=1)
