"""Match store: loads the newest position of a match and appends one ply at a time.

Optimistic lock: an append succeeds only if the match is still at the loaded ply, so of several
concurrent actions exactly one succeeds. Only this module unseals positions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import events, refusals, time_controls
from games.play.clocks import running
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, ServiceTermination, Status
from games.play.models.ply import Ply
from games.play.record import hash_chain
from games.play.record.match_queries import fetch_match
from games.play.record.sealed import drafts, match_secrets, plans
from games.play.record.sealed.sealing import seal, unseal
from games.play.terms import MIN_TURNS
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadPosition
from games.rules.core.basics.termination import OffBoardTermination, Termination
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Phase, Position
from games.rules.core.text import notation
from games.rules.proof import seals
from games.rules.proof.chain import VOID_EXTRA, ending_extra, setup_extra
from lib.database.prepared_inserts import PreparedInsert
from lib.database.prepared_queries import PreparedQuery
from lib.sealing import BrokenSealError


@dataclass(frozen=True)
class MatchState:
    """A match as a command has loaded it: the position is the truth, including hidden ranks."""

    match: Match
    rules: Ruleset
    players: Mapping[Seat, Player]
    position: Position
    head: bytes
    at: datetime  # arrival of the action, by the database's clock

    def seat_of(self, user_id: int | None) -> Seat:
        """The seat of a user; raises NotSeated."""
        for seat, player in self.players.items():
            if player.user_id == user_id:
                return seat
        raise refusals.NotSeated

    def is_late(self, seat: Seat) -> bool:
        """Whether an action of this seat came too late; never in matches that wait for a claim.

        False until a sweep may end the match.
        """
        deadline = self.players[seat].deadline
        late = time_controls.is_late(self.at - time_controls.DEADLINE_GRACE, deadline)
        return late and not self.match.waits_for_claim

    @property
    def unplayed(self) -> bool:
        """Whether the first move has not been played yet."""
        return self.match.unplayed


@dataclass(frozen=True)
class Ending:
    """How a match ends: the columns of Match; `result` is "" if there is none.

    `note` is the administrator's sentence in place of a reason, for a voided match. With `excused`
    nobody has missed anything by it.
    """

    status: Status
    result: str
    reason: Termination | None
    note: str = ""
    excused: bool = False


def seal_context(match_id: int, number: int) -> str:
    """The context to which a ply is sealed; it cannot be unsealed as another ply."""
    return f"ply/{match_id}/{number}"


class BrokenRecordError(Exception):
    """A match lacks its newest ply, or the rules cannot read its position."""


# Exceptions for a ply that is missing, damaged or changed, or whose key is gone.
UNREADABLE = (BrokenSealError, BrokenRecordError, LookupError)


class UnsealedPly(NamedTuple):
    """The unsealed part of a ply; its repr shows none of it."""

    position: str  # the position after it
    private: str  # the text of a set-up, else ""

    def __repr__(self) -> str:
        return "<UnsealedPly>"

    def read(self, rules: Ruleset) -> Position:
        """The position; raises BrokenRecordError.

        It replaces the Refusal that the rules raise for unreadable text: that one quotes the text,
        which would reach logs and the page of the user who made the request.
        """
        try:
            return notation.read_position(rules, self.position)
        except BadPosition:
            raise BrokenRecordError("A sealed position cannot be read.") from None


def unseal_ply(match_id: int, number: int, sealed: bytes | memoryview) -> UnsealedPly:
    """Unseal a ply; raises BrokenSealError."""
    position, _, private = unseal(sealed, seal_context(match_id, number)).partition("\n")
    return UnsealedPly(position, private)


SAMPLE_PLIES = 3  # plies read by `check_keys`, from each end of the clocks to check
MAX_INSPECTED = 100  # matches whose newest ply is looked for, the next to be checked first


def check_keys() -> None:
    """Check that the keys seal a text and unseal stored plies.

    One broken match must not make the service unready: of a sample, the matches whose clocks are
    due first and last, it is enough that one can be unsealed. Raises BrokenSealError if none can
    be, and BrokenRecordError if the newest ply of each of several matches is missing.
    """
    unseal(seal("", "check"), "check")
    clocks = _clocks_with_newest_ply().filter(match__status=Status.RUNNING)
    ends = (clocks.order_by(order)[:SAMPLE_PLIES] for order in ("check_at", "-check_at"))
    missing: set[int] = set()
    failure: BrokenSealError | None = None
    for match_id, number, sealed in chain.from_iterable(ends):
        if sealed is None:
            missing.add(match_id)
            continue
        try:
            unseal_ply(match_id, number, sealed)
        except BrokenSealError as error:
            failure = error
        else:
            return
    if failure:
        raise failure
    if len(missing) >= SAMPLE_PLIES:
        raise BrokenRecordError("Matches lack their newest plies.")


def lacking_newest_ply() -> list[int]:
    """The matches without their newest ply, in which nobody can move, in order.

    Looks at the MAX_INSPECTED clocks that are checked next.
    """
    clocks = _clocks_with_newest_ply().order_by("check_at")[:MAX_INSPECTED]
    return sorted({match_id for match_id, _number, sealed in clocks if sealed is None})


def _clocks_with_newest_ply() -> QuerySet[Any, Any]:
    """Of each running clock: match, number of its newest ply, and that ply sealed or None."""
    newest = Ply.objects.filter(match=OuterRef("match"), number=OuterRef("match__ply"))
    waiting = Player.objects.filter(check_at__isnull=False)
    return waiting.values_list("match_id", "match__ply", Subquery(newest.values("sealed")))


def create_first_ply(
    match: Match,
    players: Iterable[Player],
    position: Position,
    deal: hash_chain.PublicDeal | None,
) -> None:
    """Store ply 0, the position before set-up with any deal, and start the set-up clocks."""
    text = notation.write_position(match.rules, position)
    Ply.objects.create(
        match=match,
        number=0,
        kind=PlyKind.BEGIN,
        text="",
        sealed=seal(text, seal_context(match.pk, 0)),
        at=match.created_at,
        head=hash_chain.first_head(match, deal),
    )
    running.start(match, players, position.to_act, match.created_at)


def load_match(
    match_id: int, arrived: datetime | None = None, *, waited: timedelta = time_controls.ZERO
) -> MatchState:
    """Load a match at its newest ply, in two queries.

    Raises Match.DoesNotExist, and BrokenRecordError if its newest ply is missing.

    `waited` is how long ago the action arrived, `arrived` the first arrival of one that is retried.
    The arrival counts, but never as earlier than the newest ply or the start of a running clock.
    """
    match, players, at = fetch_match(match_id)
    if waited and arrived is None:
        arrived = at - waited
    newest_rows = list(_newest(match_id=match.pk, number=match.ply))
    if not newest_rows:
        raise BrokenRecordError(f"Match {match.pk} lacks its newest ply, {match.ply}.")
    ((sealed, head, newest),) = newest_rows
    if arrived is not None:
        at = max(arrived, newest, *_running_since(players))
    unsealed = unseal_ply(match.pk, match.ply, sealed)
    return MatchState(
        match=match,
        rules=match.rules,
        players=players,
        position=unsealed.read(match.rules),
        head=bytes(head),
        at=at,
    )


def _running_since(players: Mapping[Seat, Player]) -> list[datetime]:
    return [player.since for player in players.values() if player.since is not None]


@PreparedQuery
def _newest(match_id: int, number: int) -> QuerySet[Any, Any]:
    return Ply.objects.filter(match=match_id, number=number).values_list("sealed", "head", "at")


class Step(NamedTuple):
    """A ply to append, with all its effects on its match."""

    number: int
    kind: PlyKind
    seat: Seat | None
    position: Position  # the position after it
    public: str
    private: str
    ending: Ending | None
    reopens: bool
    extra: str

    def __repr__(self) -> str:
        return f"<Step {self.number}>"


def append_ply(
    state: MatchState,
    kind: PlyKind,
    seat: Seat | None,
    *,
    position: Position | None = None,
    public: str = "",
    private: str = "",
    ending: Ending | None = None,
    reopens: bool = False,
    extra: str = "",
) -> int | None:
    """Append the next ply with all its effects, in one transaction; returns its number.

    None, with nothing written, if the match had moved on or a clock was set since `state` was
    loaded. `reopens` undoes an ending: the same player is to act again, with their time bank.
    `extra` is what the chain is to hold of a look, which changes neither turn nor clock nor offer.
    """
    after = position or state.position
    step = Step(state.match.ply + 1, kind, seat, after, public, private, ending, reopens, extra)
    row = _encode(state, step)
    try:
        with command_transaction():
            if not _lock(state.match, step):
                return None
            _write(state, step, row)
            _set_clocks(state, step)
            _publish(state, step)
    except running.ClockChanged:
        return None
    return step.number


def _encode(state: MatchState, step: Step) -> Ply:
    """The row of a ply, with its sealed part and its head of the hash chain."""
    match, number = state.match, step.number
    text = notation.write_position(state.rules, step.position)
    if step.private:
        text += f"\n{step.private}"
    extra = _extra(state, step) if match.chain == hash_chain.WITH_PROOFS else ""
    link = hash_chain.Link(number, step.seat, step.kind, step.public, state.at, extra)
    return Ply(
        match_id=match.pk,
        number=number,
        seat=step.seat,
        kind=step.kind,
        text=step.public,
        sealed=seal(text, seal_context(match.pk, number)),
        at=state.at,
        head=hash_chain.next_head(match.chain, state.head, link),
        extra=extra,
    )


def _extra(state: MatchState, step: Step) -> str:
    """What the chain holds of a ply besides its text: an army's hash, or a result with its reason.

    One query for a set-up, none for other plies.
    """
    ending = step.ending
    result, reason = (ending.result, ending.reason or "") if ending else ("", "")
    if step.kind == PlyKind.SETUP and step.seat is not None:
        secrets = match_secrets.read(state.match.pk) if state.rules.hidden else None
        sealed = sealed_army(state.match, step.seat, step.private, secrets)
        return setup_extra(sealed, result, reason)
    if step.kind == PlyKind.VOID:
        return VOID_EXTRA
    return ending_extra(result, reason) if ending else step.extra


def sealed_army(match: Match, seat: int, text: str, secrets: match_secrets.Secrets | None) -> str:
    """The army hash of a set-up, sealed by the secret of its seat; see seals.seal_setup.

    Raises BrokenRecordError without the secrets of a match that hides something.
    """
    rules = match.rules
    if rules.hidden and secrets is None:
        raise BrokenRecordError(f"Match {match.pk} lacks its secrets.")
    secret = secrets.seats[seat] if secrets else b""
    setup = notation.read_setup(rules, Seat(seat), text)
    return seals.seal_setup(rules, match.pk, setup, secret)


# Plain SQL, as it is part of every move: the ORM takes longer to build it than the database to run
# it. Offers may have been made since the match was read: a draw offer lapses when its sender's next
# turn begins (C11), a pause offer when its sender plays.
ADVANCE_MATCH = """
    UPDATE play_match SET ply = %s,
        draw_offer = CASE WHEN %s OR draw_offer <> %s THEN NULL ELSE draw_offer END,
        pause_offer = CASE WHEN %s OR pause_offer = %s THEN NULL ELSE pause_offer END
    WHERE id = %s AND ply = %s AND status = %s
"""


def _lock(match: Match, step: Step) -> bool:
    """Optimistic lock: advance the match to this ply; False if it has moved on.

    From here to the commit this transaction locks the row, on every database.
    """
    by, ends = None if step.seat is None else int(step.seat), step.ending is not None
    with connection.cursor() as cursor:
        given = [step.number, ends, by, ends, by, match.pk, match.ply, match.status]
        cursor.execute(ADVANCE_MATCH, given)
        locked: bool = cursor.rowcount == 1
    if locked:
        match.ply = step.number
        if ends or (by is not None and match.draw_offer != by):
            match.draw_offer = None
        if ends or match.pause_offer == by:
            match.pause_offer = None
    return locked


_insert_ply = PreparedInsert(Ply)


def _write(state: MatchState, step: Step, row: Ply) -> None:
    """Write the ply and its effects on its match; delete drafts and plans that become obsolete."""
    _insert_ply.insert_row(row)
    columns = _columns(state, step)
    if columns:
        Match.objects.filter(pk=state.match.pk).update(**columns)
    for field, value in columns.items():
        setattr(state.match, field, value)
    if step.ending:
        drafts.delete_all(state.match)
        plans.delete_all(state.match)
    elif step.kind == PlyKind.LOOK:
        plans.keep(state.match)
    elif step.seat is not None:
        drafts.delete(state.players[step.seat])


def _columns(state: MatchState, step: Step) -> dict[str, object]:
    """The columns of Match that a ply changes, except those of the lock."""
    match, phase = state.match, step.position.phase
    columns: dict[str, object] = {}
    if step.kind == PlyKind.LOOK:
        columns |= {"looks": match.looks + 1, "newest_looks": match.newest_looks + 1}
    elif match.newest_looks:
        columns |= {"newest_looks": 0}
    if match.paused_at is not None and step.kind != PlyKind.LOOK:
        columns |= {"paused_at": None}
    if step.ending:
        columns |= {
            "status": step.ending.status,
            "result": step.ending.result,
            "reason": step.ending.reason or step.ending.note,
            "finished_at": state.at,
            "forfeited_by": _forfeiters(state, step, step.ending),
            "is_final": False,
        }
    elif step.reopens:
        status = Status.SETUP if phase is Phase.SETUP else Status.RUNNING
        columns |= {"status": status, "result": "", "reason": "", "finished_at": None}
        columns |= {"forfeited_by": "", "is_final": False}
    elif match.status == Status.SETUP and phase is Phase.PLAY:
        columns |= {"status": Status.RUNNING, "opening": step.number}
    if match.opening is not None and step.kind != PlyKind.MOVE:
        columns |= {"off_board": match.off_board + 1}
    return columns


def _set_clocks(state: MatchState, step: Step) -> None:
    """Stop, restart or pass the clocks, and mark results as unseen; raises ClockChanged."""
    match, players, to_act = state.match, state.players, step.position.to_act
    if step.kind == PlyKind.LOOK:
        return
    if step.ending:
        running.stop(players.values(), step.seat if step.kind == PlyKind.MOVE else None, state.at)
        rows = Player.objects.filter(match=match)
        rows.update(live=False, missed_at=None, missed_deadline=None)
        for seat in _missed(state, step, step.ending):
            deadline = players[seat].deadline
            passed = deadline if time_controls.is_late(state.at, deadline) else None
            rows.filter(seat=seat).update(missed_at=state.at, missed_deadline=passed)
        # The player who ended the match knows its result.
        rows.exclude(seat=-1 if step.seat is None else step.seat).update(unseen=True)
    elif step.reopens:
        # The turn that the ending cut short begins again.
        running.next_turn(match, players.values(), to_act, None, state.at)
        Player.objects.filter(match=match).update(
            live=True, unseen=False, missed_at=None, missed_deadline=None
        )
    elif step.position.phase is Phase.SETUP:
        # The other player's set-up clock keeps running.
        if step.seat is not None:
            running.next_turn(match, [players[step.seat]], to_act, None, state.at)
    elif match.opening == step.number:
        running.start(match, players.values(), to_act, state.at)
    else:
        running.next_turn(match, players.values(), to_act, step.seat, state.at)


def _forfeiters(state: MatchState, step: Step, ending: Ending) -> str:
    """Match.forfeited_by of an ending before the first move; "" for others."""
    if ending.reason == ServiceTermination.ABORTED:
        return "" if step.seat is None else str(int(step.seat))
    if ending.reason == ServiceTermination.NO_SHOW:
        return "".join(str(int(seat)) for seat in sorted(state.position.to_act))
    return ""


def _missed(state: MatchState, step: Step, ending: Ending) -> list[Seat]:
    """The seats that lost on time, did not set up in time, or resigned before two turns."""
    if ending.reason == ServiceTermination.NO_SHOW:
        return list(state.position.to_act)
    loser = _loser(state.rules, ending)
    if loser is None or ending.excused:
        return []
    on_time = ending.reason == OffBoardTermination.TIME
    unplayed = step.kind == PlyKind.RESIGN and state.players[loser].turns < MIN_TURNS
    return [loser] if on_time or unplayed else []


def _loser(rules: Ruleset, ending: Ending) -> Seat | None:
    if ending.result not in rules.seat_letters:
        return None
    return Seat(rules.seat_letters.index(ending.result)).other


def _publish(state: MatchState, step: Step) -> None:
    """Publish the events of the ply."""
    numbers = {"match": state.match.pk, "ply": step.number}
    both = people(player.user for player in state.players.values())
    if step.ending:
        publishing.publish(events.MatchEnded(**numbers, people=both))
        return
    if step.kind == PlyKind.LOOK:
        publishing.publish(events.ArmiesSeen(**numbers, people=both))
        return
    if step.reopens:
        publishing.publish(events.MatchReopened(**numbers, people=both))
    if step.position.phase is Phase.PLAY:
        movers = people(state.players[seat].user for seat in step.position.to_act)
        # The ply is new, by the optimistic lock.
        publishing.publish(events.TurnCame(**numbers, people=movers), is_new=True)
