"""Whether what an event would have told is still so, and what it is about, as its reader sees it.

Hours may lie between an event and its notice. So each way of telling asks here first, and where
events have overtaken the notice this raises Superseded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.lobby.models import Invitation
from games.lobby.models import Status as InvitationStatus
from games.notices.foresight import Foresight
from games.play import vacations
from games.play.models.match import Match, Status
from games.play.sight import Look, look
from games.relay.models import Dispatch
from games.relay.moment import present
from games.relay.outbox import Superseded


@dataclass(frozen=True)
class Standing:
    """An invitation as it stands at an instant."""

    invitation: Invitation
    at: datetime


def see_match(dispatch: Dispatch, foresight: Foresight | None = None) -> Look:
    """The match of the event as the reader sees it now, or as it was seen a moment ago."""
    reader = reader_of(dispatch)
    try:
        seen = foresight.look(dispatch) if foresight else look(dispatch.ref["match"], reader)
    except Match.DoesNotExist:
        raise Superseded from None
    expect(seen.seat is not None and MATCH_CHECKS[_name(dispatch)](seen, dispatch.ref))
    return seen


def see_invitation(dispatch: Dispatch) -> Standing:
    """The invitation of the event as it stands."""
    reader = reader_of(dispatch)
    found = Invitation.objects.select_related("owner", "guest").annotate(at=present())
    about = found.filter(pk=dispatch.ref["invitation"]).first()
    if about is None:
        raise Superseded
    standing = Standing(about, about.at)
    expect(INVITATION_CHECKS[_name(dispatch)](standing, dispatch.ref, reader))
    return standing


def see(dispatch: Dispatch) -> Look | Standing:
    """Whichever of the two the event is about."""
    return see_match(dispatch) if "match" in dispatch.ref else see_invitation(dispatch)


def reader_of(dispatch: Dispatch) -> User:
    """Whom the event is for, if they are still here."""
    reader = dispatch.user
    if reader is None or not reader.is_active:
        raise Superseded
    return reader


def expect(still_so: bool) -> None:
    if not still_so:
        raise Superseded


def _name(dispatch: Dispatch) -> str:
    """The event; on other ways than letters, the name of the way follows it."""
    return dispatch.event.partition(":")[0]


Ids = dict[str, int]


def _begun(seen: Look, ids: Ids) -> bool:
    """True until the reader's army stands; whoever sets up none is told until play starts."""
    sets_up = seen.seat in seen.rules.seats_setting_up
    return seen.match.status == Status.SETUP and (seen.my_turn or not sets_up)


def _to_act(seen: Look, ids: Ids) -> bool:
    """True while the reader is to act on this very ply."""
    return seen.my_turn and seen.number == ids["ply"]


def _near(seen: Look, ids: Ids) -> bool:
    """True while the reader is to act on this very ply and has time left; set-ups may cross."""
    same = seen.number == ids["ply"] or seen.match.status == Status.SETUP
    in_time = seen.me and seen.me.deadline and seen.me.deadline > seen.now
    return bool(seen.my_turn and same and in_time)


def _offered(seen: Look, ids: Ids) -> bool:
    """True while the offer stands."""
    offerer = seen.opponent
    return seen.match.is_live and offerer is not None and seen.match.draw_offer == offerer.seat


def _turned_down(seen: Look, ids: Ids) -> bool:
    """True while the match goes on and no other offer of the reader stands."""
    return seen.match.is_live and seen.match.draw_offer != seen.seat


def _over(seen: Look, ids: Ids) -> bool:
    """True for good."""
    return not seen.match.is_live


def _live(seen: Look, ids: Ids) -> bool:
    """True while the match goes on."""
    return seen.match.is_live


def _away(seen: Look, ids: Ids) -> bool:
    """True while the match goes on and the opponent's absence lasts."""
    opponent, at = seen.opponent, seen.now
    return seen.match.is_live and bool(opponent and vacations.lasts_until(opponent, at))


def _time_up(seen: Look, ids: Ids) -> bool:
    """True while the reader may claim the match."""
    return seen.match.is_live and seen.may_claim


def _pause_offered(seen: Look, ids: Ids) -> bool:
    """True while the offer stands."""
    offerer = seen.opponent
    return seen.match.is_live and offerer is not None and seen.match.pause_offer == offerer.seat


def _paused(seen: Look, ids: Ids) -> bool:
    """True while the clocks stand."""
    return seen.match.is_live and seen.match.paused_at is not None


def _resumed(seen: Look, ids: Ids) -> bool:
    """True while the clock that was set going still runs."""
    same = seen.number == ids["ply"]
    return seen.match.is_live and same and seen.match.paused_at is None


MATCH_CHECKS: dict[str, Callable[[Look, Ids], bool]] = {
    "match-began": _begun,
    "turn-came": _to_act,
    "deadline-near": _near,
    "draw-offered": _offered,
    "draw-declined": _turned_down,
    "match-over": _over,
    "vacation-began": _away,
    "clock-credited": _live,
    "time-given": _near,
    "time-up": _time_up,
    "pause-offered": _pause_offered,
    "match-paused": _paused,
    "match-resumed": _resumed,
    "match-reopened": _live,
}


def _challenged(standing: Standing, ids: Ids, reader: User) -> bool:
    """True while the challenge can be accepted."""
    about = standing.invitation
    return about.is_live(standing.at) and about.guest_id == reader.pk


def _declined(standing: Standing, ids: Ids, reader: User) -> bool:
    """True for good."""
    return standing.invitation.status == InvitationStatus.DECLINED


def _stale(standing: Standing, ids: Ids, reader: User) -> bool:
    """True while the invitation is open and nobody has kept it open for longer."""
    about = standing.invitation
    return about.is_live(standing.at) and about.prolonged == ids["prolonged"]


def _expired(standing: Standing, ids: Ids, reader: User) -> bool:
    """True for good."""
    return standing.invitation.status == InvitationStatus.EXPIRED


INVITATION_CHECKS: dict[str, Callable[[Standing, Ids, User], bool]] = {
    "challenged": _challenged,
    "invitation-declined": _declined,
    "invitation-stale": _stale,
    "invitation-expired": _expired,
}
