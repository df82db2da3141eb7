"""Saves or deletes the plan of a player, on the page or by mail, with a move of theirs or without.

A move and the plan that follows it are done in one transaction: both, or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from games.idempotency.replay import command_transaction
from games.plan_language.lines import write_line
from games.plan_language.reading import NumberedLine, read_line
from games.play import refusals
from games.play.commands import moves
from games.play.commands.plans.refusing import (
    AnswerWaits,
    BadPlan,
    PlanEdited,
    PlanOutdated,
    no_plan_yet,
    plan_needs_a_move,
)
from games.play.models.match import Match, Status
from games.play.models.plan import PlanRow, PlanState, Wait
from games.play.plans.entering import enter_lines
from games.play.record.match_view import MatchView, view_match
from games.play.record.sealed import plans
from games.play.record.sealed.plans import Contents, StoredPlan
from games.play.time_controls import ZERO
from games.rules.core.basics.refusals import NotYourTurn, gettext_noop

if TYPE_CHECKING:
    from accounts.models import User


class Saved(NamedTuple):
    """What was saved: the number of lines, and the receipt of the move that was sent with them."""

    lines: int
    receipt: moves.Receipt | None = None


def save_plan(
    match_id: int,
    user: User,
    ply: int,
    lines: Sequence[NumberedLine],
    *,
    wait: Wait | None = None,
    move: str = "",
    version: int | None = None,
    newer_wins: bool = False,
    waited: timedelta = ZERO,
) -> Saved:
    """Save the plan for the board of ply `ply`, or for that after the player's own `move`.

    On the opponent's turn there is no `move`; on one's own there has to be one, which is played as
    by `submit_move` (`waited` too). No lines: the plan is deleted. `wait` None keeps what was
    chosen before. `version` is that of the plan that the sender has seen, 0 for none, None to
    compare nothing. With `newer_wins` the lines are added to the plan that stands, and replace
    those that they contradict.

    Raises Match.DoesNotExist, or a Refusal and has then done nothing: NotSeated, MatchIsOver,
    PlanOutdated (another ply), PlanEdited (another version), AnswerWaits, BadPlan (with the faults
    of lines), NotNow, or one of `submit_move`.
    """
    view = view_match(match_id, user)
    before = _checked_plan(view, ply, version)
    if view.my_turn and lines and not move.strip():
        raise plan_needs_a_move()
    if not view.my_turn and move.strip():
        raise NotYourTurn(gettext_noop("It is not your turn."))
    stands = counts(view, before) and not view.my_turn
    older = before.contents.lines if newer_wins and before and stands else ()
    entered = enter_lines(
        view.rules, view.observation, lines, tuple(map(read_line, older)), own_move=move.strip()
    )
    if entered.faults:
        raise BadPlan(entered.faults)
    chosen = wait or (Wait(before.contents.wait) if before and older else Wait.WHILE)
    receipt = None
    with command_transaction():
        locked = _lock(view, before)
        if move.strip():
            receipt = moves.submit_move(match_id, user, move, ply, waited=waited)
            if receipt.status != Status.RUNNING:
                return Saved(0, receipt)
        contents = Contents(tuple(map(write_line, entered.lines)), chosen)
        ply = receipt.ply if receipt else locked.ply
        _store(view, before, ply, contents, moved=receipt is not None)
    return Saved(len(entered.lines), receipt)


def delete_plan(
    match_id: int, user: User, ply: int | None = None, *, version: int | None = None
) -> None:
    """Delete the plan, also one whose answer waits.

    `ply` is that of the board that the sender has seen, None to compare nothing, `version` as for
    `save_plan`. Raises Match.DoesNotExist, NotSeated, PlanOutdated or PlanEdited.
    """
    view = view_match(match_id, user)
    before = _plan_of(view)
    if ply is not None and not view.match.is_at(ply):
        raise PlanOutdated
    if version not in (None, before.row.version if before else 0):
        raise PlanEdited
    if before is None:
        return
    with command_transaction():
        _lock(view, before)
        _store(view, before, before.row.ply, Contents(wait=before.contents.wait))


def own_plan(view: MatchView) -> StoredPlan | None:
    """The reader's plan in the match of a page, opened; a query only if there is one."""
    me = view.me
    return None if me is None or plans.of_reader(me) is None else plans.read(me.pk)


def counts(view: MatchView, plan: StoredPlan | None) -> bool:
    """Whether a plan stands and is for the board shown, or for the turn that has just come."""
    if plan is None or plan.row.state is not PlanState.STANDING:
        return False
    match = view.match
    return plan.row.ply == (match.turn_ply - 1 if view.my_turn else match.ply)


def _checked_plan(view: MatchView, ply: int, version: int | None) -> StoredPlan | None:
    """The stored plan; raises a Refusal if it cannot be replaced now, by its sender's view."""
    before, match = _plan_of(view), view.match
    if not match.is_live:
        raise refusals.MatchIsOver
    if match.status != Status.RUNNING:
        raise no_plan_yet()
    if not match.is_at(ply):
        raise PlanOutdated
    if version is not None and version != (before.row.version if before else 0):
        raise PlanEdited
    if before and before.row.due_at is not None and counts(view, before):
        raise AnswerWaits
    return before


def _plan_of(view: MatchView) -> StoredPlan | None:
    if view.me is None:
        raise refusals.NotSeated
    return own_plan(view)


def _lock(view: MatchView, before: StoredPlan | None) -> Match:
    """Lock the match row; raises PlanOutdated or PlanEdited if it or the plan has changed."""
    match, me = view.match, view.me
    locked: Match = Match.objects.select_for_update().get(pk=match.pk)
    if (locked.turn_ply, locked.status) != (match.turn_ply, match.status):
        raise PlanOutdated
    plan_row = plans.row_of(match.pk, me.user_id) if me else None
    if (plan_row and plan_row[1].version) != (before and before.row.version):
        raise PlanEdited
    return locked


def _store(
    view: MatchView,
    before: StoredPlan | None,
    ply: int,
    contents: Contents,
    *,
    moved: bool = False,
) -> None:
    """Store a plan in place of `before`; without lines it is deleted.

    `moved`: a move by hand came with it.
    """
    if before is None and not contents.lines:
        return
    assert view.me is not None  # noqa: S101 - checked by _plan_of
    state = PlanState.STANDING if contents.lines else PlanState.DELETED
    # A move by hand ends the list of plies that a plan has played.
    played = before.row.played if before and not moved else []
    row = PlanRow(ply, 0, state, None, None, played)
    if not plans.store(view.me.pk, row, contents, before and before.row.version):
        raise PlanEdited
