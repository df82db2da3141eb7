"""Digests: one e-mail with what waits for a reader and what happened since the last one.

The first row of the outbox whose hour has come writes it for all the others and closes them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from games.notifications import catalogue
from games.notifications.email.composing import match_emails, subjects
from games.notifications.email.composing.match_emails import Waiting
from games.notifications.email.sending import delivery
from games.notifications.email.sending.delivery import alone, send
from games.notifications.email.sending.mime import Email
from games.notifications.policy import preferences, summaries
from games.notifications.policy.kinds import NotificationKind
from games.notifications.policy.localization import localized
from games.notifications.policy.relevance import expect
from games.notifications.policy.summaries import Summary
from games.outbox.delivery import dispatcher, retries
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch
from games.play.lists.overview import seat_opponents
from games.play.lists.waiting import waiting_for
from games.play.models.match import Player, Status
from games.play.record.match_view import MatchView
from games.play.words.times import SOON
from lib.db_clock import now, now_expression

MAX_LINES = match_emails.MAX_MATCHES  # matches and pieces of news in one e-mail


def rows_beside(dispatch: Dispatch, reader: User) -> list[Dispatch]:
    """The rows that a digest would tell of together with this one; else this one alone."""
    if not preferences.of(reader).is_digest:
        return [dispatch]
    return [dispatch, *_waiting_rows(reader).exclude(pk=dispatch.pk)]


def deliver(
    dispatch: Dispatch,
    reader: User,
    batch: Batch,
    planned: Sequence[Dispatch] | None = None,
) -> None:
    """Write the digest that `dispatch` belongs to, unless another row has done so.

    It tells of the rows in `planned`, or of all that wait for its reader.
    """
    with alone(dispatch, reader):
        waiting = _waiting_rows(reader)
        if planned is not None:
            waiting = waiting.filter(pk__in=[row.pk for row in planned])
        rows = list(waiting.order_by("pk"))
        others = [row for row in rows if row.pk != dispatch.pk]
        # If an earlier row was refused, this one has shared its fate and is in hand no more.
        mine = (dispatch.pk, dispatch.lease_until)
        expect(any((row.pk, row.lease_until) == mine for row in rows))
        try:
            delivery.connect(batch)
            with localized(reader):
                email = _write(reader, rows)
            send(email, reader, batch)
        except OSError as error:
            _share(others, error)
            raise
        closed = Dispatch.objects.filter(PENDING, pk__in=[row.pk for row in others])
        closed.update(superseded_at=now_expression(), lease_until=None)


def _share(others: Iterable[Dispatch], error: OSError) -> None:
    """A refusal for good of a digest is one of all its rows, any other one of those that are due.

    Else each would write it again, and one refused e-mail would count as many.
    """
    lasting, at = retries.is_permanent(error), now()
    for row in others:
        if lasting or row.not_before <= at:
            dispatcher.record_failure(row, error)


def _waiting_rows(reader: User) -> QuerySet[Dispatch]:
    events = catalogue.events_without(NotificationKind.REMINDER)
    rows = Dispatch.objects.filter(PENDING, handler=catalogue.NOTIFY, event__in=events)
    return rows.filter(user=reader)


def _write(reader: User, rows: list[Dispatch]) -> Email:
    at, seats = now(), _seats(reader)
    players = list(seats[:MAX_LINES])
    seat_opponents(players)
    waits, news = [_line(player, at) for player in players], _news(reader, rows)
    expect(bool(waits or news))
    # Tried again with nothing new to tell, it is the same e-mail. With a newer row it is another:
    # a mailbox that has got the first, unknown to us, would drop the news with the second.
    return match_emails.digest(reader, waits, seats.count(), news, at, rows[-1].message_id)


def _seats(reader: User) -> QuerySet[Player]:
    """Where the reader is to act and wants e-mails about it: set-ups and turns are chosen apart."""
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


def _news(reader: User, rows: Iterable[Dispatch]) -> list[Summary]:
    """What is not listed as waiting, newest last, as far as it is still so."""
    told = []
    for row in rows:
        notification = catalogue.find(row.event)
        kind = notification.kind
        if kind == NotificationKind.TURN or not preferences.wants_email(reader, kind):
            continue
        row.user = reader
        view = notification.look(row)
        if view is None:
            continue
        # Whoever sets up no army learns only here that a match begins.
        if kind != NotificationKind.SETUP or not (isinstance(view, MatchView) and view.my_turn):
            told.append(summaries.about(notification, view))
    return told[-MAX_LINES:]
