"""What two players may do for each other's clocks: a day more, a pause by agreement.

Each command is one transaction, done whole or not at all, and may raise Refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from games.play import adjustments, clock, clocks, outages, refusals
from games.play.models.match import Match, Player, Status
from games.play.models.time import Adjustment
from games.play.seating import Seated, seated
from games.relay import outbox
from games.relay.once import deed
from games.rules.core.army import Seat

if TYPE_CHECKING:
    from accounts.models import User

MOST = timedelta(days=60)  # on a clock to which the opponent adds
TRIES = 5


def give_day(match_id: int, user: User) -> None:
    """Put a day into the opponent's clock, which has to run."""

    def give(at_table: Seated, seat: Seat) -> bool:
        other, at = at_table.players[seat.other], at_table.at
        if other.deadline is None:
            raise refusals.no_clock_runs()
        if other.deadline + clock.DAY > at + MOST:
            raise refusals.time_enough()
        # A day in the bank alone may end in the same rest. Where time is up, it counts from now.
        least = max(at, other.deadline) + clock.DAY
        if clocks.lengthen(other, clock.DAY, at, least=least) is None:
            return False
        adjustments.note(other, Adjustment.Kind.GIFT, at, span=clock.DAY)
        _tell("time-given", at_table, other)
        return True

    _at_table(match_id, user, give)


def offer_pause(match_id: int, user: User) -> None:
    """Offer to stop the clocks; two offers are an agreement. It stands until the offerer plays."""

    def offer(at_table: Seated, seat: Seat) -> bool:
        match = at_table.match
        if match.pause_offer == seat.other:
            return _pause(at_table, seat)
        if match.pause_offer == seat:
            raise refusals.pause_already_offered()
        free = Match.objects.filter(pk=match.pk, ply=match.ply, pause_offer=None, paused_at=None)
        if not free.update(pause_offer=seat):
            return False
        _tell("pause-offered", at_table, at_table.players[seat.other], **_wound(at_table))
        return True

    outages.settle()  # An offer may be an agreement; see accept_pause.
    _at_table(match_id, user, _unless_paused(offer))


def accept_pause(match_id: int, user: User) -> None:
    """Stop the clocks; each keeps what is left on it."""

    def accept(at_table: Seated, seat: Seat) -> bool:
        if at_table.match.pause_offer != seat.other:
            raise refusals.no_pause_offer()
        return _pause(at_table, seat)

    # Only a clock that runs is given back what the service has lost, so before it stops.
    outages.settle()
    _at_table(match_id, user, _unless_paused(accept))


def decline_pause(match_id: int, user: User) -> None:
    """Put the offer aside."""

    def decline(at_table: Seated, seat: Seat) -> bool:
        if at_table.match.pause_offer != seat.other:
            raise refusals.no_pause_offer()
        offered = Match.objects.filter(pk=match_id, pause_offer=seat.other)
        return bool(offered.update(pause_offer=None))

    _at_table(match_id, user, decline)


def resume(match_id: int, user: User) -> None:
    """End a pause, which either may do: whoever is to act has what was left, and a respite."""

    def end(at_table: Seated, seat: Seat) -> bool:
        match, at = at_table.match, at_table.at
        if match.paused_at is None:
            raise refusals.not_paused()
        paused = Match.objects.filter(pk=match_id, ply=match.ply, paused_at=match.paused_at)
        if not paused.update(paused_at=None):
            return False
        for player in _to_act(at_table):
            if not clocks.resume(player, at, least=at + match.budget().respite):
                raise clocks.Rewound
        adjustments.note_match(match, Adjustment.Kind.RESUMED, at)
        _tell("match-resumed", at_table, at_table.players[seat.other], **_wound(at_table))
        return True

    _at_table(match_id, user, end)


def _pause(at_table: Seated, seat: Seat) -> bool:
    match, at = at_table.match, at_table.at
    free = Match.objects.filter(pk=match.pk, ply=match.ply, paused_at=None)
    if not free.update(paused_at=at, pause_offer=None):
        return False
    for player in _to_act(at_table):
        if not clocks.pause(player, at):
            raise clocks.Rewound
    adjustments.note_match(match, Adjustment.Kind.PAUSED, at)
    _tell("match-paused", at_table, at_table.players[seat.other], **_wound(at_table))
    return True


def _unless_paused(act: Callable[[Seated, Seat], bool]) -> Callable[[Seated, Seat], bool]:
    """For what concerns the clocks of a match in play, while they run."""

    def judge(at_table: Seated, seat: Seat) -> bool:
        match = at_table.match
        if match.status != Status.RUNNING or match.budget().bank is None:
            raise refusals.nothing_to_pause()
        if match.paused_at is not None:
            raise refusals.paused_already()
        return act(at_table, seat)

    return judge


def _at_table(match_id: int, user: User, act: Callable[[Seated, Seat], bool]) -> None:
    """Let `act` do its work on the match as it stands, again if somebody was quicker."""
    for _ in range(TRIES):
        at_table = seated(match_id)
        seats = [seat for seat, player in at_table.players.items() if player.user_id == user.pk]
        if not seats:
            raise refusals.NotSeated
        if not at_table.match.is_live:
            raise refusals.MatchIsOver
        try:
            with deed():
                if act(at_table, seats[0]):
                    return
        except clocks.Rewound:
            continue
    raise refusals.Overtaken


def _to_act(at_table: Seated) -> list[Player]:
    return [player for player in at_table.players.values() if player.to_act]


def _wound(at_table: Seated) -> dict[str, int]:
    """How often the clocks were set: a turn may see more than one pause, and each is told."""
    return {"wound": sum(player.wound for player in at_table.players.values())}


def _tell(event: str, at_table: Seated, player: Player, **ids: int) -> None:
    match = at_table.match
    outbox.post(event, user=player.user_id, match=match.pk, ply=match.ply, **ids)
