"""Relevance: whether what a notification would say is still true.

Hours may lie between an event and its notification. So each channel asks first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.lobby.models import Invitation, InvitationStatus
from games.notifications.policy.prefetch import Prefetch
from games.outbox.handling import Superseded
from games.outbox.models import Dispatch
from games.play.clocks import adjustment_log, vacations
from games.play.lists.overview import seat_opponents
from games.play.models.match import Match, Player, Status
from games.play.record.match_view import MatchView, view_match
from lib.db_clock import now, now_expression

Ids = Mapping[str, int]  # those that the event was posted with


@dataclass(frozen=True)
class InvitationView:
    """An invitation as its reader sees it at an instant."""

    invitation: Invitation
    at: datetime
    reader: User

    @property
    def is_open(self) -> bool:
        return self.invitation.is_live(self.at)

    @property
    def other(self) -> User | None:
        """The other player; nobody where an open invitation has no guest."""
        about = self.invitation
        return about.guest if about.owner_id == self.reader.pk else about.owner


@dataclass(frozen=True)
class OutageView:
    """The running matches in which an outage was credited to its reader, by number."""

    outage: int
    players: Sequence[Player]  # the reader's own, with their opponents
    at: datetime


def look(
    dispatch: Dispatch, prefetch: Prefetch | None = None
) -> MatchView | InvitationView | OutageView | None:
    """What the row is about, as its reader sees it now: a match, an invitation or an outage.

    None where it is gone, or no longer theirs to see.
    """
    reader = reader_of(dispatch)
    if "outage" in dispatch.ref:
        return _look_at_outage(dispatch.ref["outage"], reader)
    if "match" not in dispatch.ref:
        return _look_at_invitation(dispatch.ref["invitation"], reader)
    try:
        view = prefetch.view(dispatch) if prefetch else view_match(dispatch.ref["match"], reader)
    except Match.DoesNotExist:
        return None
    return None if view.seat is None else view


def _look_at_invitation(pk: int, reader: User) -> InvitationView | None:
    found = Invitation.objects.select_related("owner", "guest").annotate(at=now_expression())
    invitation = found.filter(pk=pk).first()
    if invitation is None:
        return None
    at = invitation.at  # type: ignore[attr-defined]  # annotated above
    return InvitationView(invitation, at, reader)


def _look_at_outage(pk: int, reader: User) -> OutageView:
    credited = adjustment_log.credited_players(pk).filter(user=reader, live=True)
    players = list(credited.select_related("match").order_by("match"))
    seat_opponents(players)
    return OutageView(pk, players, now())


def reader_of(dispatch: Dispatch) -> User:
    """Whom the row is for; raises Superseded for closed accounts and for the house."""
    reader = dispatch.user
    if reader is None or not reader.is_active or reader.is_house:
        raise Superseded
    return reader


def expect(still_so: bool) -> None:
    if not still_so:
        raise Superseded


def to_set_up(view: MatchView, ids: Ids) -> bool:
    """True until the reader's army stands; whoever sets up none is told until play starts."""
    sets_up = view.seat in view.rules.seats_setting_up
    return view.match.status == Status.SETUP and (view.my_turn or not sets_up)


def to_act(view: MatchView, ids: Ids) -> bool:
    """True while the reader is to act on this very ply."""
    return view.my_turn and view.number == ids["ply"]


def deadline_is_near(view: MatchView, ids: Ids) -> bool:
    """True while the reader is to act on this very ply and has time left; set-ups may cross."""
    same = view.number == ids["ply"] or view.match.status == Status.SETUP
    in_time = view.me and view.me.deadline and view.me.deadline > view.now
    return bool(view.my_turn and same and in_time)


def draw_is_offered(view: MatchView, ids: Ids) -> bool:
    """True while this very offer stands."""
    offerer, match = view.opponent, view.match
    same = ids["offer"] == match.draws_offered
    return match.is_live and same and offerer is not None and match.draw_offer == offerer.seat


def draw_was_declined(view: MatchView, ids: Ids) -> bool:
    """True while the match goes on and no other offer has been made."""
    match = view.match
    return match.is_live and ids["offer"] == match.draws_offered and match.draw_offer != view.seat


def is_over(view: MatchView, ids: Ids) -> bool:
    """True for good."""
    return not view.match.is_live


def is_live(view: MatchView, ids: Ids) -> bool:
    """True while the match goes on."""
    return view.match.is_live


def opponent_is_away(view: MatchView, ids: Ids) -> bool:
    """True while the match goes on and the opponent's absence lasts."""
    opponent, at = view.opponent, view.now
    return view.match.is_live and bool(opponent and vacations.lasts_until(opponent, at))


def time_is_up(view: MatchView, ids: Ids) -> bool:
    """True while the reader may claim the match."""
    return view.match.is_live and view.may_claim


def pause_is_offered(view: MatchView, ids: Ids) -> bool:
    """True while this very offer stands."""
    offerer, match = view.opponent, view.match
    same = ids["offer"] == match.pauses_offered
    return match.is_live and same and offerer is not None and match.pause_offer == offerer.seat


def is_paused(view: MatchView, ids: Ids) -> bool:
    """True while the clocks stand."""
    return view.match.is_live and view.match.paused_at is not None


def is_resumed(view: MatchView, ids: Ids) -> bool:
    """True while the clock that was set going still runs."""
    same = view.number == ids["ply"]
    return view.match.is_live and same and view.match.paused_at is None


def is_credited(view: OutageView, ids: Ids) -> bool:
    """True as long as a match goes on in which time was given back."""
    return bool(view.players)


def can_be_accepted(view: InvitationView, ids: Ids) -> bool:
    """True while the challenge can be accepted."""
    about = view.invitation
    return view.is_open and about.guest_id == view.reader.pk


def was_declined(view: InvitationView, ids: Ids) -> bool:
    """True for good."""
    return view.invitation.status == InvitationStatus.DECLINED


def is_still_open(view: InvitationView, ids: Ids) -> bool:
    """True while the invitation is open and nobody has kept it open for longer."""
    about = view.invitation
    return view.is_open and about.prolonged == ids["prolonged"]


def has_expired(view: InvitationView, ids: Ids) -> bool:
    """True for good."""
    return view.invitation.status == InvitationStatus.EXPIRED
