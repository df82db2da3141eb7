"""Plans: the conditional moves of a player in a match, sealed to their player.

Each write names the version that it has read, so of several at once exactly one counts.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db import connection
from django.db.models import F, Q

from games.play.models.match import Match, Player
from games.play.models.plan import Plan, PlanRow, PlanState, Wait
from games.play.record.sealed.sealing import seal, unseal
from lib.db_clock import now

DELETE_ALL = """
    DELETE FROM play_plan WHERE player_id IN (SELECT id FROM play_player WHERE match_id = %s)
"""


class Reason(StrEnum):
    """Why a plan was dropped, as stored."""

    NO_LINE = "no line"  # none fitted the turn
    NOT_LEGAL = "not legal"  # its answer was not


class Contents(NamedTuple):
    """The sealed part of a plan.

    `lines` are canonical texts in the order in which they are tried. `answer` is the move that
    waits to be played, `reason` a Reason if the plan was dropped; "" for none.
    """

    lines: tuple[str, ...] = ()
    wait: str = Wait.WHILE
    answer: str = ""
    reason: str = ""

    def __repr__(self) -> str:
        return "<Contents>"


class StoredPlan(NamedTuple):
    """A plan as stored, unsealed; its repr shows no line."""

    player_id: int
    row: PlanRow
    contents: Contents

    def __repr__(self) -> str:
        return f"<StoredPlan {self.player_id}>"


def seal_context(player_id: int) -> str:
    """The context to which a plan is sealed."""
    return f"plan/{player_id}"


def of_reader(player: Player) -> PlanRow | None:
    """The columns in clear that were read with the match of a page, for the page's reader."""
    return None if player.plan_row[0] is None else _row(*player.plan_row)


def row_of(match_id: int, user_id: int) -> tuple[int, PlanRow] | None:
    """The key of a user's player in a match and the columns of their plan in clear, or None."""
    plans = Plan.objects.filter(player__match=match_id, player__user=user_id)
    columns = plans.values_list("player", *PlanRow._fields).first()
    return columns and (columns[0], _row(*columns[1:]))


def standing_for(user_id: int, plies: Mapping[int, int]) -> list[int]:
    """The matches of `plies` in which the user's plan may answer the turn of that ply."""
    own_plans = Plan.objects.filter(player__user=user_id, player__match__in=plies)
    standing = own_plans.filter(state=PlanState.STANDING).values_list("player__match", "ply")
    return [match_id for match_id, ply in standing if plies[match_id] == ply + 1]


def read(player_id: int) -> StoredPlan | None:
    """A player's plan; None if there is none. Raises BrokenSealError."""
    plan = Plan.objects.filter(player=player_id).first()
    if plan is None:
        return None
    row = _row(*(getattr(plan, name) for name in PlanRow._fields))
    fields = json.loads(unseal(plan.sealed, seal_context(player_id)))
    contents = Contents(**fields | {"lines": tuple(fields["lines"])})
    return StoredPlan(player_id, row, contents)


def store(player_id: int, row: PlanRow, contents: Contents, version: int | None) -> bool:
    """Store a plan in place of that of this version, None for none; False if it is another by now.

    The stored version is one higher; that of `row` is ignored. To be called under a lock of the
    match row.
    """
    columns = {
        "ply": row.ply,
        "state": row.state,
        "due_at": row.due_at,
        "counts_at": row.counts_at,
        "played": row.played,
        "sealed": seal(json.dumps(contents._asdict()), seal_context(player_id)),
        "failures": 0,
    }
    if version is not None:
        return _change(player_id, version, **columns)
    if Plan.objects.filter(player=player_id).exists():
        return False
    Plan.objects.create(player_id=player_id, **columns)
    return True


def hold(player_id: int, version: int) -> bool:
    """Store that a plan is not looked at again before it is woken."""
    return _change(player_id, version, due_at=None)


def note_failure(player_id: int, version: int, retry_at: datetime, most: int) -> None:
    """Store that an answer failed and when it is tried again, or give it up after `most` times."""
    same = Plan.objects.filter(player=player_id, version=version)
    again = same.filter(failures__lt=most - 1)
    if not again.update(version=F("version") + 1, failures=F("failures") + 1, due_at=retry_at):
        same.update(version=F("version") + 1, state=PlanState.FAILED, due_at=None)


def _change(player_id: int, version: int, **columns: object) -> bool:
    same = Plan.objects.filter(player=player_id, version=version)
    return bool(same.update(version=F("version") + 1, **columns))


def due(at: datetime, limit: int) -> list[tuple[int, int, int]]:
    """Match, player and version of the plans that are due at `at`, the longest due first."""
    plans = Plan.objects.filter(due_at__lte=at).order_by("due_at")
    return list(plans.values_list("player__match", "player", "version")[:limit])


def wake(match_id: int, ply: int) -> None:
    """Make the plan due that an offer or a pause has held at this ply of a match, if any.

    One whose pause is not over stays due at its instant. The version changes, so that a worker that
    has still seen the offer does not put it off.
    """
    at = now()
    held = Plan.objects.filter(player__match=match_id, player__to_act=True, ply=ply - 1)
    over = held.filter(Q(due_at=None) | Q(due_at__lte=at), state=PlanState.STANDING)
    over.update(due_at=at, counts_at=at, version=F("version") + 1)


def keep(match: Match) -> None:
    """Keep plans for the opponent's turn when a look has been appended to a match.

    A plan is for the ply before the turn that it waits for, which is the look now. One whose turn
    has come is compared with Match.turn_ply, and stays as it is.
    """
    older = match.ply - 1
    waiting = Plan.objects.filter(player__match=match, player__to_act=False, ply=older)
    for plan in waiting:
        # The list of what it has played ends with the board for which it counts.
        played = [*plan.played, match.ply] if older in plan.played else plan.played
        Plan.objects.filter(pk=plan.pk, version=plan.version).update(ply=match.ply, played=played)


def delete_all(match: Match) -> None:
    """Delete the plans of both players."""
    with connection.cursor() as cursor:
        cursor.execute(DELETE_ALL, [match.pk])


def delete_of_user(user_id: int) -> None:
    """Delete all plans of a user."""
    Plan.objects.filter(player__user=user_id).delete()


def _row(
    ply: int,
    version: int,
    state: str,
    due_at: datetime | None,
    counts_at: datetime | None,
    played: Sequence[int],
) -> PlanRow:
    return PlanRow(ply, version, PlanState(state), due_at, counts_at, list(played))
