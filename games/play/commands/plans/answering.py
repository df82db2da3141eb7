"""Answers a turn of the opponent by the player's plan, at once or after a pause.

An answer is one transaction: it plays the move as by hand, and advances the plan by two plies if
its version is still the one that was read. So a crash, a second worker, an edit or a move by hand
at the same instant leave either both or neither.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from games.idempotency.replay import command_transaction
from games.plan_language.lines import Line, write_line
from games.plan_language.reading import read_line
from games.play import refusals
from games.play.clocks import running
from games.play.commands import moves
from games.play.commands.plans.pauses import draw_pause
from games.play.commands.plans.refusing import PlanOutdated, nothing_waits, plan_is_held
from games.play.models.match import Match, Player, Status
from games.play.models.plan import PlanRow, PlanState, Wait
from games.play.models.ply import Ply
from games.play.plans import judging
from games.play.plans.judging import Judged
from games.play.record.match_queries import MatchRow, fetch_match
from games.play.record.sealed import plans
from games.play.record.sealed.plans import Contents, Reason, StoredPlan
from games.play.time_controls import ZERO
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import AmbiguousMove, IllegalMove, UnreadableMove
from lib import log_context
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

MAX_FAILURES = 5  # of an answer, in a row
RETRY_AFTER = timedelta(minutes=1)
CAUSE_BYTES = 8  # as many as the id of a request has
NOT_LEGAL = (IllegalMove, UnreadableMove, AmbiguousMove, refusals.NotAsWritten)


class Outcome(Enum):
    """What a plan did with a turn."""

    NOTHING = "nothing"  # there is none for it, or it is held
    WAITS = "waits"  # its answer is due later
    ANSWERED = "answered"
    DROPPED = "dropped"
    FAILED = "failed"  # it is tried again, or was given up


class PlanChanged(Exception):  # noqa: N818 -- no error: another write came first.
    """The plan was changed since it was read."""


class Turn(NamedTuple):
    """The turn of a plan's owner: the match, their seat, and when the opponent's ply arrived."""

    row: MatchRow
    seat: Seat
    text: str  # the opponent's ply as everybody sees it
    came_at: datetime

    @property
    def me(self) -> Player:
        return self.row.players[self.seat]


def answer_turn(match_id: int, user_id: int, ply: int) -> Outcome:
    """Let a user's plan answer the opponent's ply `ply`, if it is for that turn.

    Idempotent. Raises nothing because of the plan: a failure is logged without any text, and tried
    again by the task `answer_plans`, up to MAX_FAILURES times.
    """
    plan_row = None if settings.HOLD_EMAILS else plans.row_of(match_id, user_id)
    if plan_row is None:
        return Outcome.NOTHING
    player_id, row = plan_row
    if row.state is not PlanState.STANDING or row.ply + 1 != ply:
        return Outcome.NOTHING
    if row.due_at is not None and row.due_at > now():
        return Outcome.WAITS
    return answer_due(match_id, player_id, row.version)


def answer_turns(user_id: int, plies: Mapping[int, int]) -> None:
    """Let a user's plans answer the turns that came with a ply in each of these matches."""
    for match_id in [] if settings.HOLD_EMAILS else plans.standing_for(user_id, plies):
        answer_turn(match_id, user_id, plies[match_id])


def answer_due(match_id: int, player_id: int, version: int) -> Outcome:
    """As `answer_turn`, for a plan of this version that is not to wait any longer."""
    try:
        # As a move by hand has: what follows from it names the request that led to it.
        with log_context.bound(request_id=new_cause()):
            return _answer(match_id, player_id)
    except PlanChanged:
        return Outcome.NOTHING
    except Exception as error:
        # Neither its message nor its traceback, which may quote a line.
        log.error("The plan of player %s failed: %s.", player_id, type(error).__name__)
        plans.note_failure(player_id, version, now() + RETRY_AFTER, MAX_FAILURES)
        return Outcome.FAILED


def new_cause() -> str:
    """A random id, of the form that a request has."""
    return secrets.token_hex(CAUSE_BYTES)


def play_now(match_id: int, user: User, ply: int, version: int) -> int:
    """Play the answer that waits, as its player asks; returns its ply.

    `ply` and `version` are what the player has seen. Raises a Refusal.
    """
    plan_row = plans.row_of(match_id, user.pk)
    plan = None if plan_row is None else plans.read(plan_row[0])
    if plan is not None and plan.row.version != version:
        raise PlanOutdated
    if plan is None or plan.row.due_at is None or not plan.contents.answer:
        raise nothing_waits()
    turn = _turn(match_id, plan)
    if turn is None or not turn.row.match.is_at(ply):
        raise PlanOutdated
    if is_held(turn.row.match, turn.seat):
        raise plan_is_held()
    judged = judging.judge(turn.row.match.rules, parsed(plan.contents.lines), turn.text)
    if judged is None:
        raise nothing_waits()
    try:
        return _play(turn, plan, judged, min(plan.row.counts_at or turn.row.at, turn.row.at))
    except PlanChanged:
        raise PlanOutdated from None
    except NOT_LEGAL:
        _drop(plan, Reason.NOT_LEGAL)
        raise


def is_held(match: Match, seat: Seat) -> bool:
    """Whether a pause, or an open offer of the opponent, holds the plan of this seat."""
    return match.paused_at is not None or seat.other in (match.draw_offer, match.pause_offer)


def _answer(match_id: int, player_id: int) -> Outcome:
    plan = plans.read(player_id)
    if plan is None or plan.row.state is not PlanState.STANDING:
        return Outcome.NOTHING
    row, contents = plan.row, plan.contents
    turn = _turn(match_id, plan)
    # None: its player moved by hand, or the match went on otherwise.
    if turn is None or is_held(turn.row.match, turn.seat):
        plans.hold(player_id, row.version)
        return Outcome.NOTHING
    judged = judging.judge(turn.row.match.rules, parsed(contents.lines), turn.text)
    if judged is None:
        return _drop(plan, Reason.NO_LINE)
    counts_at = row.counts_at or turn.came_at
    if contents.wait == Wait.WHILE and not contents.answer:
        counts_at += draw_pause(counts_at, turn.me.deadline)
    if counts_at > turn.row.at:
        waits = row._replace(due_at=counts_at, counts_at=counts_at)
        stored = plans.store(player_id, waits, contents._replace(answer=judged.answer), row.version)
        return Outcome.WAITS if stored else Outcome.NOTHING
    try:
        _play(turn, plan, judged, counts_at)
    except NOT_LEGAL:
        return _drop(plan, Reason.NOT_LEGAL)
    except (refusals.MatchMovedOn, refusals.MatchIsOver, refusals.TooLate):
        plans.hold(player_id, row.version)
        return Outcome.NOTHING
    return Outcome.ANSWERED


def _turn(match_id: int, plan: StoredPlan) -> Turn | None:
    """The turn that a plan is for; None if the match is at another one."""
    row = fetch_match(match_id)
    match = row.match
    seat = next(seat for seat, player in row.players.items() if player.pk == plan.player_id)
    if match.status != Status.RUNNING or match.turn_ply != plan.row.ply + 1:
        return None
    came = Ply.objects.filter(match=match_id, number=match.turn_ply).values_list("text", "at").get()
    return Turn(row, seat, *came) if row.players[seat].to_act else None


def _play(turn: Turn, plan: StoredPlan, judged: Judged, counts_at: datetime) -> int:
    """Play an answer and move its plan on, both or neither; returns its ply.

    Raises PlanChanged if the plan is another by now or was held, or a Refusal of the move.
    """
    row, match_id = plan.row, turn.row.match.pk
    with command_transaction():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.turn_ply != row.ply + 1 or is_held(match, turn.seat):
            raise PlanChanged
        waited = max(ZERO, now() - counts_at)
        receipt = moves.submit_move(
            match_id, turn.me.user, judged.answer, match.ply, waited=waited, exact=True
        )
        played = Ply.objects.filter(match=match_id, number=receipt.ply)
        text, status = played.values_list("text", "match__status").get()
        # The end of a match deletes its plans.
        if status == Status.RUNNING:
            if not _move_on(turn, plan, judged, receipt.ply, text):
                raise PlanChanged
            if waited >= moves.LONG_WAIT:
                _postpone(match_id, turn.seat.other)
    return receipt.ply


def _postpone(match_id: int, seat: Seat) -> None:
    """Give the opponent their whole time from now on, since the turn could not be seen before."""
    row = fetch_match(match_id)
    opponent = row.players[seat]
    if opponent.bank is not None and opponent.deadline is not None:
        least = row.at + opponent.bank
        running.lengthen(opponent, ZERO, row.at, least=least)


def _move_on(turn: Turn, plan: StoredPlan, judged: Judged, number: int, text: str) -> bool:
    """Store what is left of a plan after its answer, ply `number`; False if it is another."""
    row, contents = plan.row, plan.contents
    left = judging.after_own(turn.row.match.rules, judged.lines, text)
    state = PlanState.STANDING if left else PlanState.ENDED
    played = [*row.played, number] if row.ply in row.played else [number]
    moved_on = PlanRow(number, row.version, state, None, None, played)
    lines = tuple(map(write_line, left))
    return plans.store(plan.player_id, moved_on, Contents(lines, contents.wait), row.version)


def _drop(plan: StoredPlan, reason: Reason) -> Outcome:
    """Drop a plan; its lines stay readable."""
    row, contents = plan.row, plan.contents
    dropped = row._replace(state=PlanState.DROPPED, due_at=None, counts_at=None)
    stored = plans.store(
        plan.player_id, dropped, contents._replace(answer="", reason=reason), row.version
    )
    return Outcome.DROPPED if stored else Outcome.NOTHING


def parsed(lines: Iterable[str]) -> tuple[Line, ...]:
    """The lines of a plan as stored."""
    return tuple(map(read_line, lines))
