"""Answers of the house to offers: challenges, rematches, draws and pauses.

Open offers are read from the rows of invitations and matches, so a lost wake-up loses no answer.
"""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from accounts.models import User
from games.house import sealing, wake_ups
from games.house.models import HouseSeat
from games.house.playing import seats
from games.house.playing.new_match import check_limits, take_seat
from games.house.refusals import HouseRefusal
from games.house.thinking import child_client, seat_lines
from games.house.thinking.ending_decisions import accepts_draw, is_too_early_to_draw
from games.idempotency.replay import command_transaction
from games.lobby import commands as lobby
from games.lobby.models import Invitation
from games.people.locks import lock_users
from games.play.commands import courtesies, endings
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal

log = logging.getLogger(__name__)

Offer = TypeVar("Offer")

BATCH_ROWS = 100  # of each kind of offer


def answer_offers(house: Iterable[User], until: float) -> None:
    """Accept challenges and pauses, and answer draw offers until `until` (monotonic seconds)."""
    ids = [user.pk for user in house]
    live = Invitation.objects.live().filter(guest__in=ids, guest__is_active=True)
    for invitation in live.select_related("guest", "owner").order_by("pk")[:BATCH_ROWS]:
        _try(_accept, invitation)
    players = Player.objects.filter(user__in=ids, live=True, match__status=Status.RUNNING)
    for player in _offered(players, "pause_offer"):
        _try(_accept_pause, player)
    for player in _offered(players, "draw_offer"):
        # An evaluation takes time, and a declined offer can be repeated at once.
        if time.monotonic() >= until:
            break
        _try(_answer_draw, player)


def _offered(players: QuerySet[Player], column: str) -> QuerySet[Player]:
    """Those of the players whose opponent has made an offer; `column` of Match names its seat."""
    by_opponent = Q(seat=Seat.SOUTH, **{f"match__{column}": Seat.NORTH}) | Q(
        seat=Seat.NORTH, **{f"match__{column}": Seat.SOUTH}
    )
    return players.filter(by_opponent).select_related("user").order_by("pk")[:BATCH_ROWS]


def _try(answer: Callable[[Offer], None], offer: Offer) -> None:
    """Answer an offer; an error is logged and does not stop the others from being answered."""
    try:
        answer(offer)
    except Refusal:
        log.debug("An offer to the house was no longer open.")
    except Exception as error:
        log.error("An offer to the house could not be answered (%s).", type(error).__name__)


def accept_challenge(invitation: Invitation) -> None:
    """Accept a challenge to the house, or a rematch, and set up its army; raises Refusal.

    Does nothing if the challenged player is a person.
    """
    house = invitation.guest
    if house is None or not house.is_house:
        return
    leisurely = _was_leisurely(invitation)
    with command_transaction():
        owner = invitation.owner
        lock_users({house.pk, owner.pk, owner.owner_id or owner.pk})
        check_limits(owner)
        match = lobby.accept(invitation.pk, house)
        for each in Match.objects.filter(Q(pk=match.pk) | Q(twin=match)).order_by("pk"):
            take_seat(each, house, leisurely=leisurely)
    wake_ups.send()


def _was_leisurely(invitation: Invitation) -> bool:
    """Whether this is a rematch of a match in which the house answered leisurely."""
    if invitation.rematch_of_id is None:
        return False
    seats_before = HouseSeat.objects.filter(player__match=invitation.rematch_of_id)
    return seats_before.filter(leisurely=True).exists()


def _accept(invitation: Invitation) -> None:
    """Accept a challenge that is still open; decline it if its owner has reached a limit."""
    assert invitation.guest is not None  # noqa: S101 - the query filters by guest.
    try:
        accept_challenge(invitation)
    except HouseRefusal:
        lobby.decline(invitation.pk, invitation.guest)


def _answer_draw(player: Player) -> None:
    followed = seat_lines.cache.follow(player.match_id, player.user)
    if followed is None:
        return
    lines = followed.lines
    if not is_too_early_to_draw(len(lines)) and accepts_draw(_evaluations(player, lines)):
        endings.accept_draw(player.match_id, player.user)
    else:
        endings.decline_draw(player.match_id, player.user)


def _evaluations(player: Player, lines: list[dict[str, Any]]) -> tuple[float, ...]:
    seat = seats.take(player)
    seed = sealing.read_seed(seat.seed, seat.pk)
    return child_client.evaluations(lines, seed, seat.level)


def _accept_pause(player: Player) -> None:
    courtesies.accept_pause(player.match_id, player.user)
