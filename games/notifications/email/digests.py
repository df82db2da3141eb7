"""Digests: one e-mail with the matches that wait for a reader, and the news since the last one.

The first due row of the outbox sends it for all waiting rows of the reader, and closes them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from games.notifications import catalogue
from games.notifications.email.composing import match_emails, subjects
from games.notifications.email.composing.match_emails import News, Waiting
from games.notifications.email.replies.shown_offers import NONE as NO_OFFERS
from games.notifications.email.replies.shown_offers import Offers
from games.notifications.email.sending import delivery
from games.notifications.email.sending.delivery import exclusive, send
from games.notifications.email.sending.mime import Email
from games.notifications.policy import preferences, summaries
from games.notifications.policy.kinds import UNSCHEDULED, NotificationKind
from games.notifications.policy.localization import localized
from games.notifications.policy.relevance import supersede_unless
from games.outbox.delivery import dispatcher, retries
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch, Reason
from games.play.events import DrawOffered, PauseOffered
from games.play.lists.overview import seat_opponents
from games.play.lists.waiting import waiting_for
from games.play.models.match import Player, Status
from games.play.record.match_view import MatchView
from games.play.words.times import SOON
from games.talk import emailing
from lib.db_clock import now, now_expression

MAX_LINES = match_emails.MAX_MATCHES  # of matches, and of news, in one e-mail


def digest_rows(dispatch: Dispatch, reader: User) -> list[Dispatch]:
    """This row and all others that a digest would contain; only this row without digests."""
    if not preferences.read(reader).is_digest:
        return [dispatch]
    return [dispatch, *_waiting_rows(reader).exclude(pk=dispatch.pk)]


def deliver(
    dispatch: Dispatch,
    reader: User,
    batch: Batch,
    planned: Sequence[Dispatch] | None = None,
) -> None:
    """Send the digest that contains `dispatch`, unless another row has sent it.

    It contains the rows in `planned`, or all that wait for the reader. Raises Superseded if there
    is nothing to send.
    """
    with exclusive(dispatch, reader):
        waiting = _waiting_rows(reader)
        if planned is not None:
            waiting = waiting.filter(pk__in=[row.pk for row in planned])
        rows = list(waiting.order_by("pk"))
        others = [row for row in rows if row.pk != dispatch.pk]
        # If a digest was refused meanwhile, its failure was recorded for this row too.
        leased = (dispatch.pk, dispatch.lease_until)
        is_leased = any((row.pk, row.lease_until) == leased for row in rows)
        supersede_unless(is_leased, Reason.IN_DIGEST)
        try:
            delivery.connect(batch)
            with localized(reader):
                email, news = _write(reader, rows)
            send(email, reader, batch)
            _note_emailed(reader, news)
        except OSError as error:
            _record_failures(others, error)
            raise
        closed = Dispatch.objects.filter(PENDING, pk__in=[row.pk for row in others])
        closed.update(superseded_at=now_expression(), lease_until=None, reason=Reason.IN_DIGEST)


def _record_failures(others: Iterable[Dispatch], error: OSError) -> None:
    """Record the failure of a digest for its other rows: all if permanent, else those due.

    Otherwise each row would send it again, and one refusal would count several times.
    """
    is_permanent, at = retries.is_permanent(error), now()
    for row in others:
        if is_permanent or row.not_before <= at:
            dispatcher.record_failure(row, error)


def _waiting_rows(reader: User) -> QuerySet[Dispatch]:
    events = catalogue.events_without(UNSCHEDULED)
    rows = Dispatch.objects.filter(PENDING, handler=catalogue.NOTIFY, event__in=events)
    return rows.filter(user=reader)


def _write(reader: User, rows: list[Dispatch]) -> tuple[Email, list[News]]:
    at, seats = now(), _seats(reader)
    players = list(seats[:MAX_LINES])
    seat_opponents(players)
    waits, news = [_line(player, at) for player in players], _news(reader, rows)
    supersede_unless(bool(waits or news))
    # A retry without new rows has the same Message-ID. With new rows it needs another one, since a
    # mailbox that has the first e-mail may drop a second one with the same Message-ID.
    email = match_emails.digest(reader, waits, seats.count(), news, at, rows[-1].message_id)
    return email, news


def _note_emailed(reader: User, news: Iterable[News]) -> None:
    by_mail, at = preferences.read(reader).by_mail, now()
    for one in news:
        if one.talk is not None:
            emailing.handed_over(one.talk, about_talk=False, by_mail=by_mail, at=at)


def _seats(reader: User) -> QuerySet[Player]:
    """The reader's seats where they have to act, if they want e-mails of that kind."""
    seats, setting_up = waiting_for(reader), Q(match__status=Status.SETUP)
    if not preferences.wants_email(reader, NotificationKind.SETUP):
        seats = seats.exclude(setting_up)
    if not preferences.wants_email(reader, NotificationKind.TURN):
        seats = seats.filter(setting_up)
    return seats


def _line(player: Player, at: datetime) -> Waiting:
    deadline = player.deadline
    return Waiting(
        title=subjects.match_subject(player.match, player.opponent.user),
        due=summaries.must_be_here(player, at),
        link=summaries.absolute_url(player.match.get_absolute_url()),
        urgent=deadline is not None and deadline - at < SOON,
        match=player.match_id,
        ply=player.match.ply,
    )


def _offers(row: Dispatch) -> Offers:
    """The offer that the row of an event is about, if it is about one."""
    kinds = {DrawOffered.name: "draw", PauseOffered.name: "pause"}
    kind = kinds.get(row.event)
    return Offers(**{kind: row.ref["offer"]}) if kind else NO_OFFERS


def _news(reader: User, rows: Iterable[Dispatch]) -> list[News]:
    """The events that are still true and not listed as waiting, newest last."""
    news: list[News] = []
    written: set[int] = set()  # the matches with talk
    for row in rows:
        notification = catalogue.find(row.event)
        kind = notification.kind
        if kind == NotificationKind.TURN or not preferences.wants_email(reader, kind):
            continue
        row.user = reader
        view = notification.current_view(row)
        if view is None:
            continue
        # A new match is news only for a reader without a set-up; the others see it as waiting.
        if kind != NotificationKind.SETUP or not (isinstance(view, MatchView) and view.my_turn):
            summary = summaries.about(notification, view)
            if kind != NotificationKind.TALK or not isinstance(view, MatchView):
                news.append(News(summary, offers=_offers(row)))
            elif view.me and view.opponent and view.match.pk not in written:
                written.add(view.match.pk)
                emailed = emailing.lines_for_email(
                    view.me, view.opponent, emailing.LINES_WITH_A_TURN
                )
                news.append(News(summary, view.opponent, emailed))
    return news[-MAX_LINES:]
