"""What the post room does about each event.

A letter is held back as its reader wishes, and hours may lie between the event and it. So it is
asked once more whether what it would say is still true and still wanted, and otherwise this raises
Superseded.
"""

from collections.abc import Callable
from datetime import datetime

from accounts import presence
from accounts.models import User
from games.mail import digests, letters
from games.mail.delivery import alone, send
from games.mail.stationery import Letter
from games.notices import rhythm, switchboard, wishes
from games.notices.foresight import Foresight
from games.notices.kinds import KIND_OF, WAITING, Kind
from games.notices.occasions import expect, reader_of, see_invitation, see_match
from games.notices.wishes import Rhythm
from games.play.models.match import Player
from games.relay.models import Dispatch
from games.relay.moment import now
from games.relay.outbox import Batch, Later


def on_match_began(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.match_began, dispatch, batch, counted=True)


def on_turn_came(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.your_turn, dispatch, batch, counted=True)


def on_deadline_near(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.deadline_near, dispatch, batch, counted=True)


def on_draw_offered(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.draw_offered, dispatch, batch)


def on_draw_declined(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.draw_declined, dispatch, batch)


def on_match_over(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.match_over, dispatch, batch)


def on_vacation_began(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.vacation_began, dispatch, batch)


def on_clock_credited(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.clock_credited, dispatch, batch)


def on_time_given(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.time_given, dispatch, batch)


def on_time_up(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.time_up, dispatch, batch)


def on_pause_offered(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.pause_offered, dispatch, batch)


def on_match_paused(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.match_paused, dispatch, batch)


def on_match_resumed(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.match_resumed, dispatch, batch)


def on_match_reopened(dispatch: Dispatch, batch: Batch) -> None:
    _about_match(letters.match_reopened, dispatch, batch)


def on_challenged(dispatch: Dispatch, batch: Batch) -> None:
    _about_invitation(letters.invitation, dispatch, batch)


def on_invitation_declined(dispatch: Dispatch, batch: Batch) -> None:
    _about_invitation(letters.invitation_declined, dispatch, batch)


def on_invitation_stale(dispatch: Dispatch, batch: Batch) -> None:
    _about_invitation(letters.invitation_stale, dispatch, batch)


def on_invitation_expired(dispatch: Dispatch, batch: Batch) -> None:
    _about_invitation(letters.invitation_expired, dispatch, batch)


def _about_match(
    letter: Callable[..., Letter], dispatch: Dispatch, batch: Batch, *, counted: bool = False
) -> None:
    """Write to the reader of a match; `counted` if the letter says how many wait for them."""
    reader = _begin(dispatch)
    if digests.is_for(reader, dispatch):
        digests.deliver(dispatch, reader, batch)
        return
    seen = see_match(dispatch, Foresight.of(batch))
    waiting = seen.me.waiting if seen.me and counted else 0
    about = (seen, dispatch.message_id)
    if not _is_calm(reader, KIND_OF[dispatch.event]):
        send(letter, reader, batch, *about, waiting=waiting)
        return
    with alone(dispatch, reader):
        # Noted before the letter leaves, or a visit that comes meanwhile would be forgotten.
        expect(presence.hush(reader))
        try:
            send(letter, reader, batch, *about, waiting=waiting)
        except BaseException:
            presence.welcome(reader)
            raise
        reader.refresh_from_db(fields=["hushed"])


def _about_invitation(letter: Callable[..., Letter], dispatch: Dispatch, batch: Batch) -> None:
    reader = _begin(dispatch)
    if digests.is_for(reader, dispatch):
        digests.deliver(dispatch, reader, batch)
        return
    standing = see_invitation(dispatch)
    send(letter, reader, batch, standing.invitation, standing.at, dispatch.message_id)


def _begin(dispatch: Dispatch) -> User:
    """Tell it by the other ways too; then, whom the letter is for, if it is wanted and time."""
    switchboard.spread(dispatch)
    reader, kind = reader_of(dispatch), KIND_OF[dispatch.event]
    reached = reader.email and "email" not in reader.unreached.split()
    expect(bool(reached) and wishes.wants_letters(reader, kind))
    _bide(dispatch, reader, kind)
    # Whoever is calm and has not come since the last letter knows that something waits. While a
    # letter is in hand, it is not known to have left.
    told = reader.hushed and reader.in_hand_until is None
    expect(not (_is_calm(reader, kind) and told))
    return reader


def _is_calm(reader: User, kind: Kind) -> bool:
    """Whether one such letter stands for all until the reader comes."""
    return wishes.of(reader).rhythm == Rhythm.CALM and kind in WAITING


def _bide(dispatch: Dispatch, reader: User, kind: Kind) -> None:
    """Raises Later before the hour at which the reader wants this letter."""
    wished = wishes.of(reader)
    if wished.rhythm == Rhythm.NOW and wished.quiet_from is None:
        return
    at = dispatch.claimed_at or now()
    due = rhythm.letter_due(wished, reader.zoneinfo, kind, dispatch.created_at, at)
    if due > at and kind == Kind.REMINDER:
        deadline = _deadline(dispatch)
        due = rhythm.letter_due(
            wished, reader.zoneinfo, kind, dispatch.created_at, at, deadline=deadline
        )
    if due > at:
        raise Later(due)


def _deadline(dispatch: Dispatch) -> datetime | None:
    mine = Player.objects.filter(match=dispatch.ref["match"], user=dispatch.user_id)
    return mine.values_list("deadline", flat=True).first()


def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """Asked for: it goes at once, whatever came back before."""
    reader = reader_of(dispatch)
    expect(bool(reader.email))
    send(letters.trial, reader, batch, dispatch.created_at, dispatch.message_id)
