"""Relevance: whether what a notification says is still true.

Hours may pass between an event and its notification, so each channel checks before it sends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.competitions.ladders import departures
from games.competitions.ladders.models import Change, Ladder, Member
from games.lobby.models import Invitation, InvitationStatus
from games.notifications.policy.prefetch import Prefetch
from games.outbox.handling import Superseded
from games.outbox.models import Dispatch
from games.play.clocks import adjustment_log, vacations
from games.play.lists.overview import seat_opponents
from games.play.models.match import Match, Player, Status
from games.play.record.match_view import MatchView, view_match
from lib.db_clock import now, now_expression

Ids = Mapping[str, int]  # the ids of the event


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
        """The other player; None for the owner of an open invitation without a guest."""
        invitation = self.invitation
        return invitation.guest if invitation.owner_id == self.reader.pk else invitation.owner


@dataclass(frozen=True)
class OutageView:
    """The running matches in which the reader was credited for an outage, by number."""

    outage: int
    players: Sequence[Player]  # the reader's own, with their opponents
    at: datetime


@dataclass(frozen=True)
class LadderView:
    """A ladder, with the reader's membership if they are on it."""

    ladder: Ladder
    member: Member | None
    change: Change | None  # the entry of the log that the row is about
    at: datetime


View = MatchView | InvitationView | OutageView | LadderView


def current_view(dispatch: Dispatch, prefetch: Prefetch | None = None) -> View | None:
    """The match, invitation, outage or ladder of the row, as its reader may see it now.

    None if it no longer exists, or if the reader is no player of the match.
    """
    reader = reader_of(dispatch)
    if "outage" in dispatch.ref:
        return _view_outage(dispatch.ref["outage"], reader)
    if "ladder" in dispatch.ref:
        return _view_ladder(dispatch.ref, reader)
    if "match" not in dispatch.ref:
        return _view_invitation(dispatch.ref["invitation"], reader)
    try:
        view = prefetch.view(dispatch) if prefetch else view_match(dispatch.ref["match"], reader)
    except Match.DoesNotExist:
        return None
    return None if view.seat is None else view


def _view_invitation(pk: int, reader: User) -> InvitationView | None:
    invitations = Invitation.objects.select_related("owner", "guest").annotate(at=now_expression())
    invitation = invitations.filter(pk=pk).first()
    if invitation is None:
        return None
    at = invitation.at  # type: ignore[attr-defined]  # annotated above
    return InvitationView(invitation, at, reader)


def _view_ladder(ids: Ids, reader: User) -> LadderView | None:
    ladder = Ladder.objects.filter(pk=ids["ladder"]).first()
    if ladder is None:
        return None
    member = Member.objects.filter(ladder=ladder, user=reader).first()
    change = None
    if "change" in ids:
        change = Change.objects.filter(pk=ids["change"], user=reader).first()
    return LadderView(ladder, member, change, now())


def _view_outage(pk: int, reader: User) -> OutageView:
    credited = adjustment_log.credited_players(pk).filter(user=reader, live=True)
    players = list(credited.select_related("match").order_by("match"))
    seat_opponents(players)
    return OutageView(pk, players, now())


def reader_of(dispatch: Dispatch) -> User:
    """The user of the row; raises Superseded for closed accounts and house opponents."""
    reader = dispatch.user
    if reader is None or not reader.is_active or reader.is_house:
        raise Superseded
    return reader


def supersede_unless(is_needed: bool) -> None:
    """Raise Superseded if the condition is false."""
    if not is_needed:
        raise Superseded


def to_set_up(view: MatchView, ids: Ids) -> bool:
    """True until the reader has set up; for a seat without a set-up, until play begins."""
    sets_up = view.seat in view.rules.seats_setting_up
    return view.match.status == Status.SETUP and (view.my_turn or not sets_up)


def to_act(view: MatchView, ids: Ids) -> bool:
    """True while the reader is to act and no ply has followed the event."""
    return view.my_turn and view.number == ids["ply"]


def deadline_is_near(view: MatchView, ids: Ids) -> bool:
    """True while the reader is to act on the event's ply, or on a set-up, and has time left."""
    same = view.number == ids["ply"] or view.match.status == Status.SETUP
    in_time = view.me and view.me.deadline and view.me.deadline > view.now
    return bool(view.my_turn and same and in_time)


def draw_is_offered(view: MatchView, ids: Ids) -> bool:
    """True while this offer is open."""
    offerer, match = view.opponent, view.match
    same = ids["offer"] == match.draws_offered
    return match.is_live and same and offerer is not None and match.draw_offer == offerer.seat


def draw_was_declined(view: MatchView, ids: Ids) -> bool:
    """True while the match is running and no other offer has been made."""
    match = view.match
    return match.is_live and ids["offer"] == match.draws_offered and match.draw_offer != view.seat


def is_over(view: MatchView, ids: Ids) -> bool:
    """True once the match is over, unless its result is taken back."""
    return not view.match.is_live


def is_live(view: MatchView, ids: Ids) -> bool:
    """True while the match is running."""
    return view.match.is_live


def opponent_is_away(view: MatchView, ids: Ids) -> bool:
    """True while the match is running and the opponent is on vacation."""
    opponent, at = view.opponent, view.now
    return view.match.is_live and bool(opponent and vacations.lasts_until(opponent, at))


def time_is_up(view: MatchView, ids: Ids) -> bool:
    """True while the reader may claim the match."""
    return view.match.is_live and view.may_claim


def pause_is_offered(view: MatchView, ids: Ids) -> bool:
    """True while this offer is open."""
    offerer, match = view.opponent, view.match
    same = ids["offer"] == match.pauses_offered
    return match.is_live and same and offerer is not None and match.pause_offer == offerer.seat


def is_paused(view: MatchView, ids: Ids) -> bool:
    """True while the match is paused."""
    return view.match.is_live and view.match.paused_at is not None


def is_resumed(view: MatchView, ids: Ids) -> bool:
    """True while the match is running at the ply at which its pause ended."""
    same = view.number == ids["ply"]
    return view.match.is_live and same and view.match.paused_at is None


def is_credited(view: OutageView, ids: Ids) -> bool:
    """True while a match in which time was given back is running."""
    return bool(view.players)


def can_be_accepted(view: InvitationView, ids: Ids) -> bool:
    """True while the challenge can be accepted."""
    return view.is_open and view.invitation.guest_id == view.reader.pk


def was_declined(view: InvitationView, ids: Ids) -> bool:
    """True once the invitation is declined."""
    return view.invitation.status == InvitationStatus.DECLINED


def is_still_open(view: InvitationView, ids: Ids) -> bool:
    """True while the invitation is open and has not been extended since the event."""
    return view.is_open and view.invitation.prolonged == ids["prolonged"]


def has_expired(view: InvitationView, ids: Ids) -> bool:
    """True once the invitation has expired."""
    return view.invitation.status == InvitationStatus.EXPIRED


def drop_is_near(view: LadderView, ids: Ids) -> bool:
    """True while the reader is on the ladder and has not played since the warning."""
    member = view.member
    if member is None or member.going or member.warnings != ids["warning"]:
        return False
    return departures.played_since(member) == member.warned_since


def was_dropped(view: LadderView, ids: Ids) -> bool:
    """True until the reader has joined the ladder again."""
    return view.change is not None and view.member is None
