"""Catalogue of notifications: one entry for each event that players are notified of.

To add one, add an entry here, the templates of its e-mail, and its event to config/subscribers.py
(docs/notifications.md).
"""

from collections.abc import Collection
from datetime import timedelta

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.competitions.ladders import events as ladders
from games.competitions.ladders import limits as ladder_limits
from games.competitions.ladders.models import Going
from games.competitions.tournaments import events as tournaments
from games.lobby import events as lobby
from games.notifications.policy import relevance, tournament_words
from games.notifications.policy.kinds import NotificationKind
from games.notifications.policy.notification import Notification, public_facts
from games.notifications.policy.relevance import LadderView, OutageView
from games.notifications.policy.summaries import TURN_TITLE
from games.outbox.handling import OtherVersion
from games.people import events as people
from games.people import moderators
from games.play import events as play
from games.play.clocks import adjustment_log, vacations
from games.play.record.match_view import MatchView
from games.play.time_controls import DAY
from games.play.words import proofs
from games.play.words.times import in_words, with_zone
from games.talk import events as talk
from games.watch import events as watch

# Until then a reader may have read a line, and a writer may have added to it.
TALK_DELAY = timedelta(minutes=2)
NOTIFY = "notify"  # the key of the handler of notifications, in rows of the outbox


def _vacation_title(view: MatchView) -> str:
    title = _("%(opponent)s is on vacation; match %(number)s waits")
    if view.my_turn:
        # The match does not wait for the opponent while it is the reader's turn.
        title = _("%(opponent)s is on vacation; it is your move in match %(number)s")
    return str(title) % public_facts(view)


def _vacation_sentence(view: MatchView) -> str:
    assert view.opponent is not None  # noqa: S101 - only players are notified
    if view.my_turn and (until := vacations.lasts_until(view.opponent, view.now)):
        sentence = _("%(opponent)s is on vacation until %(until)s. It's still your move.")
        return str(sentence) % {**public_facts(view), "until": with_zone(until)}
    return str(
        _(
            "Their deadlines are postponed until they are back or have used up their vacation "
            "days. You don't need to do anything."
        )
    )


def _looks_sentence(view: MatchView) -> str:
    assured = _("Your opponent gets the same e-mail. No clock, no offer and no turn has changed.")
    return " ".join([*proofs.looks(view.match), str(assured)])


def _extension_sentence(view: MatchView) -> str:
    names = {int(seat): str(player.user) for seat, player in view.players.items()}
    given = adjustment_log.newest_from_staff(view.match)
    sentences = (adjustment_log.sentence(one, names, in_words(one.span or DAY)) for one in given)
    return " ".join(sentences)


def _credit_title(view: OutageView) -> str:
    count = len(view.players)
    if count == 1:
        # Not the singular form below: some languages use it for 21, or for every number.
        title = str(_("Time was given back in match %(number)s against %(opponent)s"))
    else:
        title = ngettext(
            "Time was given back in %(count)s match",
            "Time was given back in %(count)s matches",
            count,
        )
    return title % public_facts(view)


def _drop_sentence(view: LadderView) -> str:
    words = _(
        "You have made no move against a person for %(days)s days, vacations aside. After "
        "%(most)s days you lose your place; one such move keeps it."
    )
    days = {"days": ladder_limits.IDLE_WARNING.days, "most": ladder_limits.IDLE.days}
    return str(words) % days


def _dropped_sentence(view: LadderView) -> str:
    if view.change is not None and view.change.why == Going.MISSED:
        words = _(
            "Within %(period)s days you lost two challenges on time or did not set up for them. "
            "You may join again at the foot %(days)s days after you were dropped."
        )
        period, days = ladder_limits.MISS_PERIOD.days, ladder_limits.BACK_AFTER.days
        return str(words) % {"period": period, "days": days}
    words = _(
        "You made no move against a person for %(most)s days, vacations aside. You may join again "
        "at the foot."
    )
    return str(words) % {"most": ladder_limits.IDLE.days}


_ALL = (
    Notification(
        event=play.MatchOpened,
        kind=NotificationKind.SETUP,
        still_true=relevance.to_set_up,
        title=_("Match %(number)s against %(opponent)s begins"),
        email="began",
    ),
    Notification(
        event=play.TurnCame,
        kind=NotificationKind.TURN,
        still_true=relevance.to_act,
        title=TURN_TITLE,
        email="turn",
        tells_ply=True,
    ),
    Notification(
        event=play.DeadlineNear,
        kind=NotificationKind.REMINDER,
        still_true=relevance.deadline_is_near,
        title=_("Reminder: your turn against %(opponent)s in match %(number)s"),
        email="reminder",
    ),
    Notification(
        event=play.DrawOffered,
        kind=NotificationKind.DRAW,
        still_true=relevance.draw_is_offered,
        title=_("%(opponent)s offers a draw in match %(number)s"),
        email="draw_offered",
    ),
    Notification(
        event=play.DrawDeclined,
        kind=NotificationKind.DRAW,
        still_true=relevance.draw_was_declined,
        title=_("%(opponent)s declines the draw in match %(number)s"),
        email="draw_declined",
    ),
    Notification(
        event=play.MatchEnded,
        kind=NotificationKind.OVER,
        still_true=relevance.is_over,
        title=_("Match %(number)s against %(opponent)s is over"),
        email="over",
        tells_ply=True,
    ),
    Notification(
        event=watch.FollowedMatchEnded,
        kind=NotificationKind.OVER,
        still_true=relevance.followed_is_over,
        title=_("Match %(number)s is over: %(names)s"),
        email="followed",
    ),
    Notification(
        event=talk.TalkCame,
        kind=NotificationKind.TALK,
        still_true=relevance.talk_is_unread,
        title=_("%(opponent)s has written to you in match %(number)s"),
        email="talk",
        delay=TALK_DELAY,
    ),
    Notification(
        event=play.MatchReopened,
        # Readers who are notified of endings must learn that this one was undone.
        kind=NotificationKind.OVER,
        still_true=relevance.is_live,
        title=_("Match %(number)s against %(opponent)s continues"),
        email="clock",
        sentence=_("The result was undone. The match page says why."),
    ),
    Notification(
        event=play.ArmiesSeen,
        # Nobody may miss it: it is sent at once, and cannot be turned off.
        kind=NotificationKind.MODERATION,
        still_true=relevance.was_looked_at,
        title=_("Staff have looked at both armies in match %(number)s against %(opponent)s"),
        email="looked",
        sentence=_looks_sentence,
    ),
    Notification(
        event=play.VacationBegan,
        kind=NotificationKind.VACATION,
        still_true=relevance.opponent_is_away,
        title=_vacation_title,
        email="clock",
        sentence=_vacation_sentence,
    ),
    Notification(
        event=play.TimeCredited,
        kind=NotificationKind.CREDIT,
        still_true=relevance.is_credited,
        title=_credit_title,
        email="credit",
    ),
    Notification(
        event=play.TimeGiven,
        kind=NotificationKind.TIME,
        still_true=relevance.deadline_is_near,
        title=_("%(opponent)s gives you another day in match %(number)s"),
        email="clock",
    ),
    Notification(
        event=play.TimeExtended,
        kind=NotificationKind.TIME,
        still_true=relevance.is_live,
        title=_("More time in match %(number)s against %(opponent)s"),
        email="clock",
        sentence=_extension_sentence,
    ),
    Notification(
        event=play.TimeUp,
        kind=NotificationKind.TIME,
        still_true=relevance.time_is_up,
        title=_("%(opponent)s has run out of time in match %(number)s"),
        email="clock",
        sentence=_("You may claim the win, give another day, or wait."),
    ),
    Notification(
        event=play.PauseOffered,
        kind=NotificationKind.TIME,
        still_true=relevance.pause_is_offered,
        title=_("%(opponent)s offers a pause in match %(number)s"),
        email="clock",
        sentence=_("%(opponent)s offers you a pause: both clocks stop until one of you ends it."),
    ),
    Notification(
        event=play.MatchPaused,
        kind=NotificationKind.TIME,
        still_true=relevance.is_paused,
        title=_("%(opponent)s accepts the pause in match %(number)s"),
        email="clock",
    ),
    Notification(
        event=play.MatchResumed,
        kind=NotificationKind.TIME,
        still_true=relevance.is_resumed,
        title=_("%(opponent)s ends the pause in match %(number)s"),
        email="clock",
    ),
    Notification(
        event=lobby.Challenged,
        kind=NotificationKind.INVITATION,
        still_true=relevance.can_be_accepted,
        title=_("%(other)s challenges you to a match"),
        email="invitation",
    ),
    Notification(
        event=lobby.InvitationDeclined,
        kind=NotificationKind.ANSWER,
        still_true=relevance.was_declined,
        title=_("%(other)s declines your challenge"),
        email="invitation_declined",
    ),
    Notification(
        event=lobby.InvitationExpiresSoon,
        kind=NotificationKind.ANSWER,
        still_true=relevance.is_still_open,
        title=_("Your invitation expires soon"),
        email="invitation_stale",
    ),
    Notification(
        event=lobby.InvitationExpired,
        kind=NotificationKind.ANSWER,
        still_true=relevance.has_expired,
        title=_("Your invitation has expired"),
        email="invitation_expired",
    ),
    # Their titles say nothing of the matter: others may read them on a screen or a channel.
    Notification(
        event=people.ReportClosed,
        kind=NotificationKind.MODERATION,
        still_true=relevance.is_decided,
        title=_("The moderators have a message for you"),
        email="report_closed",
    ),
    Notification(
        event=people.Moderated,
        kind=NotificationKind.MODERATION,
        still_true=relevance.is_in_force,
        title=_("The moderators have a message for you"),
        email="moderated",
    ),
    Notification(
        event=people.ReportsWait,
        kind=NotificationKind.MODERATION,
        still_true=relevance.reports_wait,
        title=_("Reports wait for the moderators"),
        email="reports_wait",
        due=lambda ids: moderators.due_at(ids["hour"]),
    ),
    Notification(
        event=tournaments.TournamentBegins,
        kind=NotificationKind.EVENT,
        still_true=relevance.tournament_runs,
        title=_("The tournament “%(tournament)s” begins"),
        email="tournament",
        sentence=tournament_words.begins,
    ),
    Notification(
        event=tournaments.TournamentCancelled,
        kind=NotificationKind.EVENT,
        still_true=relevance.tournament_is_cancelled,
        title=_("The tournament “%(tournament)s” is cancelled"),
        email="tournament",
        sentence=tournament_words.cancelled,
    ),
    Notification(
        event=tournaments.TournamentAdvanced,
        kind=NotificationKind.EVENT,
        still_true=relevance.tournament_runs,
        title=_("You play in the final of the tournament “%(tournament)s”"),
        email="tournament",
        sentence=tournament_words.begins,
    ),
    Notification(
        event=tournaments.TournamentOver,
        kind=NotificationKind.EVENT,
        still_true=relevance.tournament_is_over,
        title=_("The tournament “%(tournament)s” is over"),
        email="tournament",
        sentence=tournament_words.over,
    ),
    Notification(
        event=tournaments.TournamentWithdrawn,
        kind=NotificationKind.EVENT,
        still_true=relevance.somebody_withdrew,
        title=tournament_words.withdrawn_title,
        email="tournament",
        sentence=tournament_words.withdrawn,
    ),
    Notification(
        event=ladders.LadderDropNear,
        kind=NotificationKind.EVENT,
        still_true=relevance.drop_is_near,
        title=_("You will soon be dropped from the ladder of %(game)s"),
        email="ladder",
        sentence=_drop_sentence,
    ),
    Notification(
        event=ladders.LadderDropped,
        kind=NotificationKind.EVENT,
        still_true=relevance.was_dropped,
        title=_("You were dropped from the ladder of %(game)s"),
        email="ladder",
        sentence=_dropped_sentence,
    ),
)
NOTIFICATIONS: dict[str, Notification] = {entry.name: entry for entry in _ALL}


def find(event: str) -> Notification:
    """The notification of an event; raises OtherVersion for one that is not in the catalogue."""
    try:
        return NOTIFICATIONS[event]
    except KeyError:
        raise OtherVersion(f"event {event}") from None


def events_without(kinds: Collection[NotificationKind]) -> Collection[str]:
    """The events of all kinds but these."""
    return [entry.name for entry in NOTIFICATIONS.values() if entry.kind not in kinds]
