"""One letter instead of many: what waits for a reader, and what happened since the last one.

The first row of the outbox whose hour has come writes it for all the others and closes them.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from games.mail import letters
from games.mail.delivery import alone, send
from games.mail.letters import Waiting
from games.notices import headlines, switchboard, wishes
from games.notices.headlines import Headline
from games.notices.kinds import KIND_OF, Kind
from games.notices.occasions import expect, see
from games.play.models.match import Player, Status
from games.play.overview import seat_opponents
from games.play.sight import Look
from games.play.templatetags.matches import SOON
from games.play.waiting import waiting_for
from games.relay import carrier, failure
from games.relay.models import WAITING, Dispatch
from games.relay.moment import now, present
from games.relay.outbox import Batch, Superseded

MOST = 30  # matches and pieces of news in one letter
ROOM = "games.mail.handlers."
EVENTS = [event for event, kind in KIND_OF.items() if kind != Kind.REMINDER]


def is_for(reader: User, dispatch: Dispatch) -> bool:
    """Whether the reader wants this among others in a digest."""
    return wishes.of(reader).is_digest and dispatch.event in EVENTS


def deliver(dispatch: Dispatch, reader: User, batch: Batch) -> None:
    """Write the digest that `dispatch` belongs to, unless another row has done so."""
    with alone(dispatch, reader):
        rows = list(_waiting_rows(reader).order_by("pk"))
        others = [row for row in rows if row.pk != dispatch.pk]
        # If an earlier row was refused, this one has shared its fate and is in hand no more.
        mine = (dispatch.pk, dispatch.lease_until)
        expect(any((row.pk, row.lease_until) == mine for row in rows))
        for row in others:
            row.user = reader
        # One may be so new that no carrier has come to it, and once closed none will.
        switchboard.spread(*others)
        try:
            send(_write, reader, batch, rows)
        except OSError as error:
            _share(others, error)
            raise
        closed = Dispatch.objects.filter(WAITING, pk__in=[row.pk for row in others])
        closed.update(superseded_at=present(), lease_until=None)


def _share(others: Iterable[Dispatch], error: OSError) -> None:
    """A refusal for good of a digest is one of all its rows, any other one of those that are due.

    Else each would write it again, and one letter that is refused would count as many.
    """
    lasting, at = failure.is_lasting(error), now()
    for row in others:
        if lasting or row.not_before <= at:
            carrier.note(row, error)


def _waiting_rows(reader: User) -> QuerySet[Dispatch]:
    rows = Dispatch.objects.filter(WAITING, user=reader, event__in=EVENTS)
    return rows.filter(handler__startswith=ROOM)


def _write(reader: User, rows: list[Dispatch]) -> letters.Letter:
    at, seats = now(), _seats(reader)
    players = list(seats[:MOST])
    seat_opponents(players)
    waits, news = [_line(player, at) for player in players], _news(reader, rows)
    expect(bool(waits or news))
    # Tried again, it is the same letter: the oldest row does not change.
    return letters.digest(reader, waits, seats.count(), news, at, rows[0].message_id)


def _seats(reader: User) -> QuerySet[Player]:
    """Where the reader is to act and wants letters about it: set-ups and turns are two wishes."""
    seats, setting_up = waiting_for(reader), Q(match__status=Status.SETUP)
    if not wishes.wants_letters(reader, Kind.SETUP):
        seats = seats.exclude(setting_up)
    if not wishes.wants_letters(reader, Kind.TURN):
        seats = seats.filter(setting_up)
    return seats


def _line(player: Player, at: datetime) -> Waiting:
    deadline = player.deadline
    return Waiting(
        title=headlines.turn_title(player.opponent.user, player.match_id),
        due=headlines.must_be_here(player, at),
        link=headlines.absolute(player.match.get_absolute_url()),
        urgent=deadline is not None and deadline - at < SOON,
    )


def _news(reader: User, rows: Iterable[Dispatch]) -> list[Headline]:
    """What is not listed as waiting, newest last, as far as it is still so."""
    told = []
    for row in rows:
        kind = KIND_OF[row.event]
        if kind == Kind.TURN or not wishes.wants_letters(reader, kind):
            continue
        row.user = reader
        try:
            seen = see(row)
        except Superseded:
            continue
        # Whoever sets up no army learns only here that a match begins.
        if kind != Kind.SETUP or not (isinstance(seen, Look) and seen.my_turn):
            told.append(headlines.about(row.event, seen))
    return told[-MOST:]
