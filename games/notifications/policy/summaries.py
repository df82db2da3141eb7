"""Summaries: short texts of notifications for push, webhooks, feeds and digests.

They contain public facts only: usernames, the game, numbers, deadlines, results; no board, move or
rank. They use the active language and time zone.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.notifications.policy.kinds import NotificationKind
from games.notifications.policy.notification import Notification
from games.notifications.policy.relevance import (
    DecisionView,
    FollowedView,
    InvitationView,
    LadderView,
    OutageView,
    QueueView,
    TournamentView,
    View,
)
from games.play.models.match import Player, Status
from games.play.record.match_view import MatchView
from games.play.words import narration
from games.play.words.times import in_words, with_zone

TURN_TITLE = gettext_lazy("Your turn against %(opponent)s in match %(number)s")


@dataclass(frozen=True)
class Summary:
    title: str
    text: str
    link: str  # absolute
    topic: str  # a newer notification replaces older ones of the same topic
    deadline: datetime | None = None
    match: int | None = None
    ply: int | None = None  # the newest one of the match


def about(notification: Notification, view: View) -> Summary:
    """The summary of a notification about this view."""
    if isinstance(view, InvitationView):
        return _of_invitation(notification, view)
    if isinstance(view, OutageView):
        return _of_outage(notification, view)
    if isinstance(view, DecisionView):
        return _of_decision(notification, view)
    if isinstance(view, QueueView):
        return _of_queue(notification, view)
    if isinstance(view, TournamentView):
        return _of_tournament(notification, view)
    if isinstance(view, LadderView):
        return _of_ladder(notification, view)
    if isinstance(view, FollowedView):
        return _of_followed(notification, view)
    return _of_match(notification, view)


def absolute_url(path: str) -> str:
    """The absolute URL of a path."""
    return f"{settings.SITE_URL}{path}"


def domain() -> str:
    """The domain that makes ids in feeds and calendars globally unique."""
    return str(settings.MAIL_DOMAIN)


def turn_title(opponent: object, match: int) -> str:
    """The title of a waiting match in feeds and calendars."""
    return str(TURN_TITLE) % {"opponent": opponent, "number": match}


def invitation_link(view: InvitationView) -> str:
    """The invitation while it is open, else the lobby."""
    path = view.invitation.get_absolute_url() if view.is_open else reverse("lobby:index")
    return absolute_url(path)


def must_be_here(player: Player, now: datetime) -> str:
    """A sentence with the player's deadline, or that the match is paused.

    "" if the player has no deadline, or it has passed.
    """
    if player.match.paused_at is not None:
        return _("The match is paused. A move ends the pause; either player can also end it.")
    if player.deadline is None or player.deadline < now:
        return ""
    values = {"due": with_zone(player.deadline), "left": in_words(player.deadline - now)}
    if player.match.status == Status.SETUP:
        return _("Set up your army by %(due)s; %(left)s left.") % values
    return _("Move by %(due)s; %(left)s left.") % values


def due_sentence(player: Player, now: datetime) -> str:
    """Like `must_be_here`, but without the time that is left.

    For texts that are read later than they are written: calendars and feed readers keep them for
    hours, push services for a day, and other sites for ever.
    """
    if player.match.paused_at is not None or player.deadline is None or player.deadline < now:
        return must_be_here(player, now)
    values = {"due": with_zone(player.deadline)}
    if player.match.status == Status.SETUP:
        return _("Set up your army by %(due)s.") % values
    return _("Move by %(due)s.") % values


def _of_match(notification: Notification, view: MatchView) -> Summary:
    me, match = view.me, view.match
    assert me is not None  # noqa: S101 - only players are notified
    text = narration.result(match, view.sides) or due_sentence(me, view.now)
    is_finished = match.status == Status.FINISHED
    page = reverse("archive:match", args=[match.pk]) if is_finished else view.address
    topic = f"match-{match.pk}"
    if notification.kind == NotificationKind.TALK:
        # It must not replace the notification of a turn.
        page, topic = reverse("talk:page", args=[match.pk]), f"talk-{match.pk}"
    return Summary(
        title=notification.title_of(view),
        text=text or _(view.rules.title),
        link=absolute_url(page),
        topic=topic,
        deadline=me.deadline,
        match=match.pk,
        ply=view.number,
    )


def _of_invitation(notification: Notification, view: InvitationView) -> Summary:
    invitation = view.invitation
    return Summary(
        title=notification.title_of(view),
        text=_(invitation.rules.title),
        link=invitation_link(view),
        topic=f"invitation-{invitation.pk}",
    )


def _of_outage(notification: Notification, view: OutageView) -> Summary:
    return Summary(
        title=notification.title_of(view),
        text=_(
            "Estafette was unavailable for a while. Every clock that was running got that "
            "time back."
        ),
        link=absolute_url("/"),
        topic=f"outage-{view.outage}",
    )


def _of_decision(notification: Notification, view: DecisionView) -> Summary:
    # Somebody whose account is blocked cannot sign in; the link of their page is for them alone.
    may_sign_in = view.reader.is_active
    return Summary(
        title=notification.title_of(view),
        text=_("Sign in to read it.") if may_sign_in else _("You get it by e-mail."),
        link=absolute_url(reverse("moderation:own") if may_sign_in else "/"),
        topic=f"decision-{view.decision.pk}",
    )


def _of_queue(notification: Notification, view: QueueView) -> Summary:
    return Summary(
        title=notification.title_of(view),
        text=_("Sign in to read it."),
        link=queue_link(),
        topic="reports",
    )


def queue_link() -> str:
    """The queue of reports in the admin."""
    return absolute_url(reverse("admin:people_report_changelist"))


def _of_tournament(notification: Notification, view: TournamentView) -> Summary:
    tournament = view.tournament
    return Summary(
        title=notification.title_of(view),
        text=notification.sentence_of(view),
        link=absolute_url(tournament.get_absolute_url()),
        topic=f"tournament-{tournament.pk}",
    )


def _of_ladder(notification: Notification, view: LadderView) -> Summary:
    return Summary(
        title=notification.title_of(view),
        text=notification.sentence_of(view),
        link=absolute_url(view.ladder.get_absolute_url()),
        topic=f"ladder-{view.ladder.pk}",
    )


def _of_followed(notification: Notification, view: FollowedView) -> Summary:
    return Summary(
        title=notification.title_of(view),
        text=narration.result(view.match, view.names),
        link=followed_link(view),
        topic=f"followed-{view.match.pk}",
    )


def followed_link(view: FollowedView) -> str:
    """The replay of a match that somebody follows; its page if it ended without a result."""
    match = view.match
    has_replay = match.status == Status.FINISHED
    path = reverse("archive:match", args=[match.pk]) if has_replay else match.get_absolute_url()
    return absolute_url(path)
