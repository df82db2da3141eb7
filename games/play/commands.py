"""Everything that changes a match. Each command is one transaction, done whole or not at all.

A command looks, lets the rules judge while it holds no lock, and ends with one guarded write
(ledger.append). Every command may raise Refusal with a sentence for the player; then it has done
nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from games.play import (
    adjustments,
    arrangement,
    clock,
    clocks,
    drafts,
    ledger,
    outages,
    refusals,
    timeoff,
)
from games.play.arrangement import Arrangement
from games.play.ledger import Ending, Table
from games.play.models.kind import Kind
from games.play.models.match import NO_SHOW, Match, Player, Status
from games.play.models.ply import Ply
from games.play.models.setup import SavedSetup
from games.play.models.time import Adjustment, Vacation
from games.play.seating import seated
from games.relay import outbox
from games.relay.moment import now
from games.relay.once import deed
from games.rules import registry
from games.rules.core import engine, notation
from games.rules.core.army import Seat
from games.rules.core.errors import BadSetup, Refusal
from games.rules.core.events import Event
from games.rules.core.moves import Move
from games.rules.core.observation import observe, witness
from games.rules.core.position import Outcome, Phase, Position
from games.rules.core.ruleset import Ruleset
from games.rules.core.switches import Value
from games.rules.core.viewpoint import Viewpoint

if TYPE_CHECKING:
    from accounts.models import User

TRIES = 5  # for what may cross with the other player's action without being in its way


@dataclass(frozen=True)
class Receipt:
    """What became of a move: the ply it is now; `repeated` if it had been played before."""

    match_id: int
    ply: int
    repeated: bool = False


def open_match(
    *,
    preset: str,
    switches: Mapping[str, Value],
    seats: dict[Seat, User],
    pace: str,
    setup_pace: str,
    soft: bool = False,
    vacations: bool = False,
    rematch_of: Match | None = None,
) -> Match:
    """A new match with its players to set up; the deal, where a game has one, is drawn here."""
    preset, switches = registry.settle(preset, switches)
    position = engine.begin(registry.ruleset(preset, switches), secrets.SystemRandom())
    with deed():
        match = Match.objects.create(
            preset=preset,
            switches=switches,
            pace=pace,
            setup_pace=setup_pace,
            soft=soft,
            vacations=vacations,
            rematch_of=rematch_of,
            created_at=now(),
        )
        players = Player.objects.bulk_create(
            Player(match=match, user=user, seat=seat) for seat, user in sorted(seats.items())
        )
        ledger.begin(match, players, position)
        for user in seats.values():
            outbox.post("match-began", user=user.pk, match=match.pk)
    return match


def open_set(*, seats: dict[Seat, User], **terms: Any) -> tuple[Match, Match]:
    """Two matches at once by the terms of open_match, the second with these seats swapped."""
    swapped = {seat.other: user for seat, user in seats.items()}
    with deed():
        first, second = open_match(seats=seats, **terms), open_match(seats=swapped, **terms)
        for match, twin in ((first, second), (second, first)):
            match.twin = twin
            match.save(update_fields=["twin"])
    return first, second


def submit_move(match_id: int, user: User, text: str, ply: int | None) -> Receipt:
    """Play `text` for `user`: a move on the ply that they saw, or a set-up (`ply` is None).

    Sending the same once more is answered as the first time: a double click plays once.
    """
    arrived = None
    for _ in range(TRIES):
        table = ledger.open_table(match_id, arrived)
        arrived = arrived or table.at
        seat = table.seat_of(user.pk)
        setting_up = table.position.phase is Phase.SETUP and seat in table.position.to_act
        if (ply is None) != setting_up or (ply is not None and ply != table.match.ply):
            return _played_before(table, seat, text, ply)
        if not table.match.is_live:
            raise refusals.MatchIsOver
        # Time that the service has lost is given back before anybody's is counted.
        if table.match.budget().saves and outages.settle():
            continue
        move = notation.read_move(table.rules, table.position, seat, text)
        position, events = engine.advance(table.rules, table.position, seat, move)
        if table.is_late(seat):
            if outages.settle() or timeoff.cover(table.players[seat], table.at):
                continue
            raise refusals.TooLate
        number = write_move(table, seat, move, position, events)
        if number is not None:
            return Receipt(match_id, number)
        # Two set-ups may cross; a second move on the same ply finds above that it is one.
    raise refusals.Overtaken


def write_move(
    table: Table, seat: Seat, move: Move, after: Position, events: Iterable[Event]
) -> int | None:
    """Write down a move or a set-up that led to `after`; see ledger.append."""
    written = notation.write_move(table.rules, move)
    setting_up = table.position.phase is Phase.SETUP
    # The public text is made of what onlookers witnessed; a set-up's own text is no part of it.
    remarks = notation.remarks(witness(events, Viewpoint.GALLERY))
    return ledger.append(
        table,
        Kind.SETUP if setting_up else Kind.MOVE,
        seat,
        position=after,
        public=remarks.strip() if setting_up else written + remarks,
        private=written if setting_up else "",
        ending=_ending(table.rules, after.outcome),
    )


def rehearse(match_id: int, seat: Seat) -> None:
    """Play a legal move, and take it back; raises whatever keeps moves from being played."""
    table = ledger.open_table(match_id)
    moves = observe(table.rules, table.position, Viewpoint.of(seat)).moves
    if moves and table.match.is_live:
        after, events = engine.advance(table.rules, table.position, seat, moves[0])
        with transaction.atomic():
            write_move(table, seat, moves[0], after, events)
            transaction.set_rollback(True)


def prepare_move(match_id: int, user: User, text: str, ply: int | None) -> None:
    """Keep a legal move as a draft, not sent yet; it replaces an older one."""
    table = ledger.open_table(match_id)
    seat = table.seat_of(user.pk)
    if ply != table.match.ply:
        raise refusals.Overtaken if table.match.is_live else refusals.MatchIsOver
    move = notation.read_move(table.rules, table.position, seat, text)
    drafts.keep(table.players[seat], ply, notation.write_move(table.rules, move))


def prepare_setup(match_id: int, user: User, placed: Arrangement) -> None:
    """Keep a set-up as a draft, however unfinished."""
    table = ledger.open_table(match_id)
    player = table.players[table.seat_of(user.pk)]
    if table.match.status != Status.SETUP or not player.to_act:
        raise refusals.set_up_already() if table.match.is_live else refusals.MatchIsOver()
    drafts.keep(player, 0, arrangement.dump(placed))


def check_setup(match_id: int, user: User, text: str) -> list[BadSetup]:
    """Everything that is wrong with a set-up for this player's pieces; none if it may be sent."""
    table = ledger.open_table(match_id)
    seat = table.seat_of(user.pk)
    return table.rules.check_setup(seat, text, table.position)


def random_setup(match_id: int, user: User) -> Arrangement:
    """An army of this player placed at random, uniformly over all that the rules allow."""
    table = ledger.open_table(match_id)
    seat = table.seat_of(user.pk)
    rng = secrets.SystemRandom()
    setup = table.rules.random_setup(seat, rng, table.position)
    return arrangement.placed_by(table.rules, setup)


def resign(match_id: int, user: User) -> None:
    """The other side wins (C11). Before the first move a match is aborted instead."""

    def end(table: Table) -> tuple[Kind, Seat, Ending]:
        seat = table.seat_of(user.pk)
        if table.unplayed:
            raise refusals.nothing_to_resign()
        return Kind.RESIGN, seat, _won(table.rules, seat.other, "resigned")

    _end(match_id, end)


def abort(match_id: int, user: User) -> None:
    """Call a match off before its first move, without a result."""

    def end(table: Table) -> tuple[Kind, Seat, Ending]:
        seat = table.seat_of(user.pk)
        if not table.unplayed:
            raise refusals.too_late_to_abort()
        return Kind.ABORT, seat, Ending(Status.CANCELLED, "", "aborted")

    _end(match_id, end)


def accept_draw(match_id: int, user: User) -> None:
    """End the match as drawn by agreement."""

    def end(table: Table) -> tuple[Kind, Seat, Ending]:
        seat = table.seat_of(user.pk)
        if table.match.draw_offer != seat.other:
            raise refusals.no_draw_offer()
        return Kind.DRAW, seat, Ending(Status.FINISHED, "draw", "agreed")

    _end(match_id, end)


def offer_draw(match_id: int, user: User) -> None:
    """Offer a draw; it stands until the offerer's next own turn (C11)."""
    table = ledger.open_table(match_id)
    seat = table.seat_of(user.pk)
    if table.match.status != Status.RUNNING:
        raise refusals.no_draw_before_play() if table.match.is_live else refusals.MatchIsOver()
    if table.match.draw_offer == seat.other:
        accept_draw(match_id, user)
        return
    with deed():
        match = Match.objects.filter(pk=match_id, ply=table.match.ply, draw_offer=None)
        if not match.update(draw_offer=seat):
            raise refusals.draw_already_offered()
        _tell(table, seat.other, "draw-offered")


def decline_draw(match_id: int, user: User) -> None:
    """Put an offer aside; the offerer is told."""
    table = ledger.open_table(match_id)
    seat = table.seat_of(user.pk)
    with deed():
        match = Match.objects.filter(pk=match_id, status=Status.RUNNING, draw_offer=seat.other)
        if not match.update(draw_offer=None):
            raise refusals.no_draw_offer()
        _tell(table, seat.other, "draw-declined")


def claim_time(match_id: int) -> bool:
    """End a match whose time is up: a loss in play (C11), no result where somebody never set up.

    True if this call ended it. It may be called at any time, any number of times; a match in which
    the opponent has to claim it is left as it is.
    """

    def end(table: Table) -> tuple[Kind, Seat | None, Ending] | None:
        late = [
            seat
            for seat, player in table.players.items()
            if player.to_act and clock.is_late(table.at - clock.GRACE, player.deadline)
        ]
        if not late or table.match.waits_for_claim:
            return None
        if table.match.status == Status.SETUP:
            return Kind.CANCEL, None, Ending(Status.CANCELLED, "", NO_SHOW)
        return Kind.TIME, None, _won(table.rules, late[0].other, "time")

    try:
        return _end(match_id, end)
    except (refusals.MatchIsOver, refusals.Overtaken):
        return False


def claim_win(match_id: int, user: User) -> None:
    """Win a match because the opponent's time is up, where nothing ends by itself."""
    outages.settle()

    def end(table: Table) -> tuple[Kind, Seat, Ending]:
        seat = table.seat_of(user.pk)
        other = table.players[seat.other]
        late = other.to_act and clock.is_late(table.at - clock.GRACE, other.deadline)
        if not table.match.waits_for_claim or not late or timeoff.cover(other, table.at):
            raise refusals.time_not_up()
        return Kind.TIME, seat, _won(table.rules, seat, "time")

    _end(match_id, end)


def void(match_id: int, reason: str) -> None:
    """End a match without a result, for a reason that both players are told.

    One that the clock has ended may be annulled too.
    """
    ending = Ending(Status.VOID, "", reason)
    _end(match_id, lambda table: (Kind.VOID, None, ending), after_time=True)


def reopen(match_id: int, reason: str) -> None:
    """Take back an ending by time: the turn that it cut short begins anew, its clock as it began.

    What the record says stays in it; this is one ply more. A match that is open stays ended.
    """
    for _ in range(TRIES):
        table = ledger.open_table(match_id)
        if not table.match.ended_by_time:
            raise refusals.not_ended_by_time()
        if table.match.is_open(table.at):
            raise refusals.OpenAlready
        with deed():
            if ledger.append(table, Kind.REOPEN, None, reopens=True) is not None:
                kind = Adjustment.Kind.REOPENED
                adjustments.note_match(table.match, kind, table.at, reason)
                return
    raise refusals.Overtaken


def leave(user: User) -> None:
    """Settle what somebody leaves behind: their matches end, their set-ups are forgotten."""
    live = Player.objects.filter(user=user, live=True)
    for match_id in list(live.values_list("match_id", flat=True)):
        if ledger.open_table(match_id).unplayed:
            abort(match_id, user)
        else:
            resign(match_id, user)
    SavedSetup.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()


def extend(match_id: int, seat: Seat, extra: timedelta) -> datetime:
    """Give a player who is to act more time; the new deadline."""
    for _ in range(TRIES):
        _match, players, at = seated(match_id)
        player = players[seat]
        if player.deadline is None:
            raise refusals.no_clock_runs()
        with deed():
            # From now, where time is up already.
            least = max(at, player.deadline) + extra
            deadline = clocks.lengthen(player, extra, at, least=least)
            if deadline is not None:
                adjustments.note(player, Adjustment.Kind.OFFICE, at, span=extra)
                return deadline
    raise refusals.Overtaken


def _end(
    match_id: int,
    judge: Callable[[Table], tuple[Kind, Seat | None, Ending] | None],
    *,
    after_time: bool = False,
) -> bool:
    """End the match as `judge` says, on whatever ply it stands; False if it says nothing.

    With `after_time`, one that the clock has ended may get another ending.
    """
    for _ in range(TRIES):
        table = ledger.open_table(match_id)
        if not table.match.is_live and not (after_time and table.match.ended_by_time):
            raise refusals.MatchIsOver
        verdict = judge(table)
        if verdict is None:
            return False
        kind, seat, ending = verdict
        if ledger.append(table, kind, seat, ending=ending) is not None:
            return True
    raise refusals.Overtaken


def _played_before(table: Table, seat: Seat, text: str, ply: int | None) -> Receipt:
    """The receipt of what was played already; anything else on an old ply is overtaken."""
    kind = Kind.SETUP if ply is None else Kind.MOVE
    played = Ply.objects.filter(match=table.match, seat=seat, kind=kind)
    after = (played if ply is None else played.filter(number=ply + 1)).first()
    if after is None:
        raise refusals.Overtaken if table.match.is_live else refusals.MatchIsOver
    before = Ply.objects.get(match=table.match, number=after.number - 1)
    sealed = ledger.opened(table.match.pk, before.number, before.sealed)
    then = sealed.read(table.rules)
    try:
        again = notation.read_move(table.rules, then, seat, text)
    except Refusal:
        raise refusals.Overtaken from None
    written = notation.write_move(table.rules, again)
    if ply is None:
        was = ledger.opened(table.match.pk, after.number, after.sealed).private
    else:
        was = notation.read_annotated(table.rules, after.text).text
    if written != was:
        raise refusals.Overtaken
    return Receipt(table.match.pk, after.number, repeated=True)


def _ending(rules: Ruleset, outcome: Outcome | None) -> Ending | None:
    if outcome is None:
        return None
    if outcome.winner is None:
        return Ending(Status.FINISHED, "draw", outcome.reason)
    return _won(rules, outcome.winner, outcome.reason)


def _won(rules: Ruleset, winner: Seat, reason: str) -> Ending:
    return Ending(Status.FINISHED, rules.seat_letters[winner], reason)


def _tell(table: Table, seat: Seat, event: str) -> None:
    user = table.players[seat].user_id
    outbox.post(event, user=user, match=table.match.pk, ply=table.match.ply)
