"""Relevance: whether what a notification says is still true.

Hours may pass between an event and its notification, so each channel checks before it sends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.competitions.ladders import departures
from games.competitions.ladders.models import Change, Ladder, Member
from games.competitions.tournaments import tables
from games.competitions.tournaments.models import Entry, State, Tournament
from games.lobby.models import Invitation, InvitationStatus
from games.notifications.policy.prefetch import Prefetch
from games.outbox.handling import Superseded
from games.outbox.models import Dispatch, Reason
from games.people import moderators
from games.people.events import Moderated
from games.people.models import Decision
from games.play.clocks import adjustment_log, vacations
from games.play.lists.overview import seat_opponents
from games.play.models.match import Match, Player, Status
from games.play.record.match_view import MatchView, view_match
from games.rules.core.basics.pieces import Seat
from games.talk import emailing
from games.watch import following
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
class DecisionView:
    """A decision of a moderator, as a reporter or the person whom it is about may know it."""

    decision: Decision
    at: datetime
    reader: User


@dataclass(frozen=True)
class QueueView:
    """The queue of reports, for a moderator: only how many wait."""

    count: int
    at: datetime
    reader: User


@dataclass(frozen=True)
class TournamentView:
    """A tournament as its reader sees it: `entry` is theirs, `withdrawn` whose leaving it is about.

    `placing` is the reader's when the tournament is over, else None.
    """

    tournament: Tournament
    entry: Entry | None
    withdrawn: Entry | None
    placing: tables.Placing | None
    winners: list[str]  # then, of the final or of the reader's group
    at: datetime
    reader: User


@dataclass(frozen=True)
class LadderView:
    """A ladder, with the reader's membership if they are on it."""

    ladder: Ladder
    member: Member | None
    change: Change | None  # the entry of the log that the row is about
    at: datetime


@dataclass(frozen=True)
class FollowedView:
    """A match that its reader follows, with its players: public facts only."""

    match: Match
    names: Mapping[Seat, str]
    at: datetime
    reader: User


# What a notification is about, as its reader sees it.
View = (
    MatchView
    | InvitationView
    | OutageView
    | DecisionView
    | QueueView
    | TournamentView
    | LadderView
    | FollowedView
)


def current_view(dispatch: Dispatch, prefetch: Prefetch | None = None) -> View | None:
    """What the row is about, as its reader sees it now.

    None if it no longer exists, or if the reader is no player of the match and does not follow it.
    """
    reader = reader_of(dispatch)
    if "outage" in dispatch.ref:
        return _view_outage(dispatch.ref["outage"], reader)
    if "report" in dispatch.ref or "decision" in dispatch.ref:
        return _view_decision(dispatch.ref, reader)
    if "hour" in dispatch.ref:
        return QueueView(_count_reports(reader), now(), reader)
    if "tournament" in dispatch.ref:
        return _view_tournament(dispatch.ref, reader)
    if "ladder" in dispatch.ref:
        return _view_ladder(dispatch.ref, reader)
    if "followed" in dispatch.ref:
        return _view_followed(dispatch.ref["followed"], reader)
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


def _view_decision(ref: Ids, reader: User) -> DecisionView | None:
    decisions = Decision.objects.select_related("report__person")
    if "report" in ref:
        reported = decisions.filter(report=ref["report"], report__complaints__reporter=reader)
        decision = reported.order_by("-pk").first()
    else:
        decision = decisions.filter(pk=ref["decision"], report__person=reader).first()
    return DecisionView(decision, now(), reader) if decision else None


def _count_reports(reader: User) -> int:
    """How many reports wait for this reader; none if they may no longer decide about reports."""
    may_decide = reader.is_staff and reader.has_perm(moderators.DECIDE)
    return moderators.count_waiting(reader) if may_decide else 0


def _view_followed(pk: int, reader: User) -> FollowedView | None:
    if not following.follows(pk, reader.pk):
        return None
    match = Match.objects.get(pk=pk)
    players = Player.objects.filter(match=match).select_related("user").order_by("seat")
    names = {Seat(player.seat): str(player.user) for player in players}
    return FollowedView(match, names, now(), reader)


def _view_tournament(ids: Ids, reader: User) -> TournamentView | None:
    tournament = Tournament.objects.filter(pk=ids["tournament"]).first()
    if tournament is None:
        return None
    entries = Entry.objects.filter(tournament=tournament).select_related("user")
    return TournamentView(
        tournament=tournament,
        entry=entries.filter(user=reader).first(),
        withdrawn=entries.filter(pk=ids["entry"]).first() if "entry" in ids else None,
        placing=tables.placing(tournament, reader.pk) if "place" in ids else None,
        winners=tables.winners_for(tournament, reader.pk) if "place" in ids else [],
        at=now(),
        reader=reader,
    )


def reader_of(dispatch: Dispatch) -> User:
    """The user of the row; raises Superseded for closed accounts and house opponents.

    A decision of a moderator is sent to blocked accounts too, since it says that they are blocked.
    """
    reader = dispatch.user
    may_read = reader is not None and (reader.is_active or dispatch.event == Moderated.name)
    if reader is None or not may_read or reader.is_house:
        raise Superseded(Reason.NO_READER)
    return reader


def supersede_unless(is_needed: bool, reason: Reason = Reason.OUTDATED) -> None:
    """Raise Superseded if the condition is false."""
    if not is_needed:
        raise Superseded(reason)


def to_set_up(view: MatchView, ids: Ids) -> bool:
    """True until the reader has set up; for a seat without a set-up, until play begins."""
    sets_up = view.seat in view.rules.seats_setting_up
    return view.match.status == Status.SETUP and (view.my_turn or not sets_up)


def to_act(view: MatchView, ids: Ids) -> bool:
    """True while the reader is to act and nothing but looks has followed the event."""
    return view.my_turn and view.match.is_at(ids["ply"])


def deadline_is_near(view: MatchView, ids: Ids) -> bool:
    """True while the reader is to act on the event's ply, or on a set-up, and has time left."""
    same = view.match.is_at(ids["ply"]) or view.match.status == Status.SETUP
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


def talk_is_unread(view: MatchView, ids: Ids) -> bool:
    """True while the reader has not read what the opponent wrote, unless muted or blocked."""
    me, opponent = view.me, view.opponent
    return me is not None and opponent is not None and emailing.may_be_notified(me, opponent)


def is_over(view: MatchView, ids: Ids) -> bool:
    """True once the match is over, unless its result is taken back."""
    return not view.match.is_live


def followed_is_over(view: FollowedView, ids: Ids) -> bool:
    """True once the match is over, unless its result is taken back."""
    return not view.match.is_live


def is_live(view: MatchView, ids: Ids) -> bool:
    """True while the match is running."""
    return view.match.is_live


def was_looked_at(view: MatchView, ids: Ids) -> bool:
    """True: that staff looked at both armies is true for ever."""
    return True


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
    same = view.match.is_at(ids["ply"])
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


def is_decided(view: DecisionView, ids: Ids) -> bool:
    """True: what has become of a report may be said at any time."""
    return True


def reports_wait(view: QueueView, ids: Ids) -> bool:
    """True while a report waits for a decision."""
    return view.count > 0


def is_in_force(view: DecisionView, ids: Ids) -> bool:
    """True until another decision replaces this one."""
    return not view.decision.replaced


def has_expired(view: InvitationView, ids: Ids) -> bool:
    """True once the invitation has expired."""
    return view.invitation.status == InvitationStatus.EXPIRED


def tournament_runs(view: TournamentView, ids: Ids) -> bool:
    """True while the tournament is running and the reader plays in it."""
    return view.tournament.state == State.RUNNING and _plays(view)


def tournament_is_cancelled(view: TournamentView, ids: Ids) -> bool:
    """True once the tournament is cancelled."""
    return view.tournament.state == State.CANCELLED


def tournament_is_over(view: TournamentView, ids: Ids) -> bool:
    """True once the tournament is finished."""
    return view.tournament.state == State.FINISHED


def somebody_withdrew(view: TournamentView, ids: Ids) -> bool:
    """True once the player has withdrawn or dropped out."""
    return view.withdrawn is not None


def _plays(view: TournamentView) -> bool:
    return view.entry is not None and view.entry.status == Entry.Status.PLAYING


def drop_is_near(view: LadderView, ids: Ids) -> bool:
    """True while the reader is on the ladder and has not played since the warning."""
    member = view.member
    if member is None or member.going or member.warnings != ids["warning"]:
        return False
    return departures.played_since(member) == member.warned_since


def was_dropped(view: LadderView, ids: Ids) -> bool:
    """True until the reader has joined the ladder again."""
    return view.change is not None and view.member is None
