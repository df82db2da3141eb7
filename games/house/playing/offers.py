"""Courtesies of the house: it takes up challenges and rematches, and answers offers.

What waits is read off the rows of invitations and matches, as with turns.
"""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from accounts.models import User
from games.house import sealing, wake
from games.house.models import HouseSeat
from games.house.playing import seats
from games.house.playing.new_match import insist_on_limits, let_set_up
from games.house.refusals import HouseRefusal
from games.house.thinking import child_client, seat_lines
from games.house.thinking.judgement import is_too_early, takes_draw
from games.idempotency.replay import command_transaction
from games.lobby import commands as lobby
from games.lobby.models import Invitation
from games.play.commands import courtesies, endings
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal

log = logging.getLogger(__name__)

What = TypeVar("What")

BATCH_ROWS = 100  # of each kind in one go


def answer_offers(house: Iterable[User], until: float) -> None:
    """Take up every challenge, accept pauses, and answer draws until that monotonic time."""
    own = [user.pk for user in house]
    live = Invitation.objects.live().filter(guest__in=own, guest__is_active=True)
    for invitation in live.select_related("guest", "owner").order_by("pk")[:BATCH_ROWS]:
        _try(_accept, invitation)
    mine = Player.objects.filter(user__in=own, live=True, match__status=Status.RUNNING)
    for player in _offered(mine, "pause_offer"):
        _try(_accept_pause, player)
    for player in _offered(mine, "draw_offer"):
        # Each is thought about, and may be made again as soon as it is declined.
        if time.monotonic() >= until:
            break
        _try(_answer_draw, player)


def _offered(mine: QuerySet[Player], offer: str) -> QuerySet[Player]:
    """Those whose opponents have made such an offer."""
    theirs = Q(seat=Seat.SOUTH, **{f"match__{offer}": Seat.NORTH}) | Q(
        seat=Seat.NORTH, **{f"match__{offer}": Seat.SOUTH}
    )
    return mine.filter(theirs).select_related("user").order_by("pk")[:BATCH_ROWS]


def _try(act: Callable[[What], None], what: What) -> None:
    """One offer that cannot be answered must not keep the others from it."""
    try:
        act(what)
    except Refusal:
        # It was withdrawn meanwhile, or is no longer to be had.
        log.debug("An offer to the house was overtaken.")
    except Exception as error:
        log.error("An offer to the house could not be answered (%s).", type(error).__name__)


def take_up(invitation: Invitation) -> None:
    """Accept a challenge or a rematch of the house, after which its army stands; raises Refusal."""
    house = invitation.guest
    if house is None or not house.is_house:
        return
    insist_on_limits(invitation.owner)
    leisurely = _was_leisurely(invitation)
    with command_transaction():
        match = lobby.accept(invitation.pk, house)
        for each in Match.objects.filter(Q(pk=match.pk) | Q(twin=match)).order_by("pk"):
            let_set_up(each, house, leisurely=leisurely)
    wake.wake()


def _was_leisurely(invitation: Invitation) -> bool:
    """Whether this is a rematch of a match in which the house took its time."""
    if invitation.rematch_of_id is None:
        return False
    before = HouseSeat.objects.filter(player__match=invitation.rematch_of_id)
    return before.filter(leisurely=True).exists()


def _accept(invitation: Invitation) -> None:
    """What nobody took up as it was offered: beyond the limits it is declined."""
    assert invitation.guest is not None  # noqa: S101 - it was looked for by its guest
    try:
        take_up(invitation)
    except HouseRefusal:
        lobby.decline(invitation.pk, invitation.guest)


def _answer_draw(player: Player) -> None:
    followed = seat_lines.cache.follow(player.match_id, player.user)
    if followed is None:
        return
    lines = followed.lines
    if not is_too_early(len(lines)) and takes_draw(_standings(player, lines)):
        endings.accept_draw(player.match_id, player.user)
    else:
        endings.decline_draw(player.match_id, player.user)


def _standings(player: Player, lines: list[dict[str, Any]]) -> tuple[float, ...]:
    seat = seats.take(player)
    seed = sealing.read_seed(seat.seed, seat.pk)
    return child_client.standings(lines, seed, seat.level)


def _accept_pause(player: Player) -> None:
    courtesies.accept_pause(player.match_id, player.user)
