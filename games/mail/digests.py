"""One letter instead of many: what waits for a reader, and what happened since the last one.

The first row of the outbox whose hour has come writes it for all the others and closes them.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from games.mail import letters
from games.mail.delivery import alone, send
from games.mail.letters import Waiting
from games.notices import headlines, wishes
from games.notices.headlines import Headline
from games.notices.kinds import KIND_OF, Kind
from games.notices.kinds import WAITING as WAITING_KINDS
from games.notices.occasions import expect, see
from games.play.models.match import Player
from games.play.overview import seat_opponents
from games.play.templatetags.matches import SOON
from games.play.waiting import count_waiting, waiting_for
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
        expect(dispatch in rows)
        send(_write, reader, batch, rows)
        others = [row.pk for row in rows if row.pk != dispatch.pk]
        Dispatch.objects.filter(WAITING, pk__in=others).update(superseded_at=present())


def _waiting_rows(reader: User) -> QuerySet[Dispatch]:
    rows = Dispatch.objects.filter(WAITING, user=reader, event__in=EVENTS)
    return rows.filter(handler__startswith=ROOM)


def _write(reader: User, rows: list[Dispatch]) -> letters.Letter:
    waits, count, at = [], 0, now()
    if wishes.wants_letters(reader, Kind.TURN):
        players = list(waiting_for(reader)[:MOST])
        seat_opponents(players)
        waits, count = [_line(player, at) for player in players], count_waiting(reader)
    news = _news(reader, rows)
    expect(bool(waits or news))
    # Tried again, it is the same letter: the oldest row does not change.
    return letters.digest(reader, waits, count, news, at, rows[0].message_id)


def _line(player: Player, at: datetime) -> Waiting:
    deadline = player.deadline
    return Waiting(
        title=headlines.turn_title(player.opponent.user, player.match_id),
        due=headlines.must_be_here(player, at),
        link=headlines.absolute(player.match.get_absolute_url()),
        urgent=deadline is not None and deadline - at < SOON,
    )


def _news(reader: User, rows: Iterable[Dispatch]) -> list[Headline]:
    """What is no turn, newest last, as far as it is still so."""
    told = []
    for row in rows:
        kind = KIND_OF[row.event]
        if kind in WAITING_KINDS or not wishes.wants_letters(reader, kind):
            continue
        row.user = reader
        try:
            told.append(headlines.about(row.event, see(row)))
        except Superseded:
            continue
    return told[-MOST:]
