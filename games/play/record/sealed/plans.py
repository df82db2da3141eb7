"""Plans: the conditional moves of a player in a match, sealed to their player.

Each write names the version that it has read, so of several at once exactly one counts.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet

from games.play.models.match import Match, Player, Status
from games.play.models.plan import Plan, PlanRow, PlanState
from games.play.record.sealed.sealing import seal, unseal
from lib.db_clock import now_expression

DELETE_ALL = """
    DELETE FROM play_plan WHERE player_id IN (SELECT id FROM play_player WHERE match_id = %s)
"""


class Contents(NamedTuple):
    """The sealed part of a plan.

    `lines` are canonical texts in the order in which they are tried, `wait` is "while" or "now".
    `answer` is the move that waits to be played, `reason` why a plan was dropped; "" for none.
    """

    lines: tuple[str, ...] = ()
    wait: str = "while"
    answer: str = ""
    reason: str = ""

    def __repr__(self) -> str:
        return "<Contents>"


class StoredPlan(NamedTuple):
    """A plan as stored, unsealed; its repr shows no line."""

    player_id: int
    row: PlanRow
    failures: int
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
    found = plans.values_list("player", *PlanRow._fields).first()
    return found and (found[0], _row(*found[1:]))


def read(player_id: int) -> StoredPlan | None:
    """A player's plan; None if there is none. Raises BrokenSealError."""
    found = Plan.objects.filter(player=player_id).first()
    if found is None:
        return None
    row = _row(found.ply, found.version, found.state, found.due_at, found.played)
    fields = json.loads(unseal(found.sealed, seal_context(player_id)))
    contents = Contents(**fields | {"lines": tuple(fields["lines"])})
    return StoredPlan(player_id, row, found.failures, contents)


def store(player_id: int, row: PlanRow, contents: Contents, version: int | None) -> bool:
    """Store a plan in place of that of this version, None for none; False if it is another by now.

    The stored version is one higher; that of `row` is ignored. To be called under a lock of the match
    row.
    """
    facts = {
        "ply": row.ply,
        "state": row.state,
        "due_at": row.due_at,
        "played": row.played,
        "sealed": seal(json.dumps(contents._asdict()), seal_context(player_id)),
        "failures": 0,
    }
    if version is not None:
        return _change(player_id, version, **facts)
    if Plan.objects.filter(player=player_id).exists():
        return False
    Plan.objects.create(player_id=player_id, **facts)
    return True


def put_off(player_id: int, version: int, due_at: datetime | None, failures: int = 0) -> bool:
    """Store when a plan is looked at again, None for not before it is woken."""
    return _change(player_id, version, due_at=due_at, failures=failures)


def give_up(player_id: int, version: int) -> bool:
    """Store that a plan failed because of a fault of the service; its lines stay."""
    return _change(player_id, version, due_at=None, state=PlanState.FAILED)


def _change(player_id: int, version: int, **facts: object) -> bool:
    same = Plan.objects.filter(player=player_id, version=version)
    return bool(same.update(version=F("version") + 1, **facts))


def due(at: datetime) -> QuerySet[Plan]:
    """The plans whose answer is due at `at`, the longest due first."""
    return Plan.objects.filter(due_at__lte=at).order_by("due_at")


def wake(match_id: int, ply: int) -> None:
    """Make the plan due that was held by an offer or a pause at this ply of a match, if any."""
    held = Plan.objects.filter(player__match=match_id, player__to_act=True, ply=ply - 1)
    held.filter(state=PlanState.STANDING, due_at=None).update(due_at=now_expression())


def delete_all(match: Match) -> None:
    """Delete the plans of both players."""
    with connection.cursor() as cursor:
        cursor.execute(DELETE_ALL, [match.pk])


def delete_of_user(user_id: int) -> None:
    """Delete all plans of a user."""
    Plan.objects.filter(player__user=user_id).delete()


def _row(
    ply: int, version: int, state: str, due_at: datetime | None, played: Sequence[int]
) -> PlanRow:
    return PlanRow(ply, version, PlanState(state), due_at, list(played))
