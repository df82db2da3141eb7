"""Subscribers of each event (games/outbox/registry.py).

A new event or subscriber is one entry here. Keys are stored in rows of the outbox, so they do not
change when a module is moved or renamed.
"""

from games.competitions.ladders import events as ladders
from games.competitions.ladders import settlement
from games.competitions.tournaments import events as tournaments
from games.competitions.tournaments.commands import settling
from games.house import wake_ups
from games.lobby import events as lobby
from games.mail.events import MessageAnswered
from games.notifications import catalogue, planning
from games.notifications.events import AccountEmailWritten
from games.outbox.events import Event
from games.outbox.registry import Subscriber, row_of_person
from games.people import events as people
from games.people import leaving
from games.people.standing import reliability
from games.play import events as play
from games.ratings import numbering
from games.talk import events as talk
from games.watch import events as watch

NOTIFICATIONS = Subscriber(
    catalogue.NOTIFY, "games.notifications.notify.notify", rows=planning.readers
)
HOUSE = Subscriber("house", "games.house.wake_ups.on_event", rows=wake_ups.rows)
RATINGS = Subscriber("ratings", "games.ratings.numbering.on_final", rows=numbering.rows)
RATINGS_BACK = Subscriber(
    "ratings-back", "games.ratings.numbering.on_reopened", rows=numbering.rows
)
RELIABILITY = Subscriber(
    "reliability", "games.people.standing.reliability.on_match", rows=reliability.rows
)
SETTLING = "games.competitions.tournaments.commands.settling"
CELLS = Subscriber("tournament-final", f"{SETTLING}.on_final", rows=settling.rows)
CELLS_BACK = Subscriber("tournament-reopened", f"{SETTLING}.on_reopened", rows=settling.rows)
NEXT_PAIRS = Subscriber("tournament-ended", f"{SETTLING}.on_ended", rows=settling.rows)
FOLLOWERS = Subscriber("followers", "games.watch.following.on_match")
LEAVING = Subscriber("leaving", "games.people.leaving.on_final", rows=leaving.rows)
LADDERS = Subscriber(
    settlement.KEY, "games.competitions.ladders.settlement.on_final", rows=settlement.rows
)
LADDERS_BACK = Subscriber(
    "ladders-back", "games.competitions.ladders.settlement.on_reopened", rows=settlement.rows
)
RECEIPTS = Subscriber(
    "mail-receipt", "games.mail.answering.receipts.deliver", rows=row_of_person, urgent=True
)
ACCOUNT_EMAILS = Subscriber(
    "account-email",
    "games.notifications.email.account_emails.deliver",
    rows=row_of_person,
    urgent=True,
)

SUBSCRIBERS: dict[type[Event], tuple[Subscriber, ...]] = {
    play.MatchOpened: (NOTIFICATIONS, HOUSE),
    play.TurnCame: (NOTIFICATIONS, HOUSE),
    play.MatchEnded: (NOTIFICATIONS, NEXT_PAIRS, FOLLOWERS),
    play.MatchFinal: (RATINGS, RELIABILITY, CELLS, LADDERS, LEAVING),
    play.MatchReopened: (
        *(NOTIFICATIONS, HOUSE, RATINGS_BACK, RELIABILITY, CELLS_BACK, LADDERS_BACK, FOLLOWERS),
    ),
    play.ArmiesSeen: (NOTIFICATIONS,),
    play.DrawOffered: (NOTIFICATIONS, HOUSE),
    play.DrawDeclined: (NOTIFICATIONS,),
    play.TimeGiven: (NOTIFICATIONS,),
    play.TimeExtended: (NOTIFICATIONS,),
    play.DeadlineNear: (NOTIFICATIONS,),
    play.TimeUp: (NOTIFICATIONS,),
    play.PauseOffered: (NOTIFICATIONS, HOUSE),
    play.MatchPaused: (NOTIFICATIONS,),
    play.MatchResumed: (NOTIFICATIONS, HOUSE),
    play.VacationBegan: (NOTIFICATIONS,),
    play.TimeCredited: (NOTIFICATIONS,),
    talk.TalkCame: (NOTIFICATIONS,),
    watch.FollowedMatchEnded: (NOTIFICATIONS,),
    lobby.Challenged: (NOTIFICATIONS, HOUSE),
    lobby.InvitationDeclined: (NOTIFICATIONS,),
    lobby.InvitationExpiresSoon: (NOTIFICATIONS,),
    lobby.InvitationExpired: (NOTIFICATIONS,),
    people.ReportClosed: (NOTIFICATIONS,),
    people.Moderated: (NOTIFICATIONS,),
    people.ReportsWait: (NOTIFICATIONS,),
    tournaments.TournamentBegins: (NOTIFICATIONS,),
    tournaments.TournamentCancelled: (NOTIFICATIONS,),
    tournaments.TournamentAdvanced: (NOTIFICATIONS,),
    tournaments.TournamentOver: (NOTIFICATIONS,),
    tournaments.TournamentWithdrawn: (NOTIFICATIONS,),
    ladders.LadderDropNear: (NOTIFICATIONS,),
    ladders.LadderDropped: (NOTIFICATIONS,),
    MessageAnswered: (RECEIPTS,),
    AccountEmailWritten: (ACCOUNT_EMAILS,),
}

# Handlers of rows that are written without an event (`publishing.enqueue`).
HANDLERS: dict[str, str] = {
    "push": "games.notifications.channels.web_push.on_event",
    "webhook": "games.notifications.channels.webhooks.on_event",
    # Test messages, sent on request.
    "trial-email": "games.notifications.email.single.on_trial",
    "trial-push": "games.notifications.channels.web_push.on_trial",
    "trial-webhook": "games.notifications.channels.webhooks.on_trial",
}
