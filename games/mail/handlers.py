"""What the post room does about each event.

Hours may lie between an event and its letter. So each handler asks once more whether what it would
say is still true and still wanted, and otherwise raises Superseded.
"""

from collections.abc import Callable
from datetime import datetime

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone, translation

from accounts.letters import KINDS
from accounts.models import User
from games.lobby.models import Invitation
from games.lobby.models import Status as InvitationStatus
from games.mail import letters
from games.mail.stationery import Letter
from games.play.models.match import Match, Status
from games.play.sight import Look, look
from games.relay.models import Dispatch
from games.relay.moment import present
from games.relay.outbox import Batch, Superseded


def on_match_began(dispatch: Dispatch, batch: Batch) -> None:
    """True until the reader's army stands; whoever sets up none is told until play starts."""
    seen = _look(dispatch)
    sets_up = seen.seat in seen.rules.seats_setting_up
    _expect(seen.match.status == Status.SETUP and (seen.my_turn or not sets_up))
    _send(letters.match_began, dispatch, batch, seen)


def on_turn_came(dispatch: Dispatch, batch: Batch) -> None:
    """True while the reader is to act on this very ply."""
    seen = _look(dispatch)
    _expect(seen.my_turn and seen.number == dispatch.ref["ply"])
    _send(letters.your_turn, dispatch, batch, seen)


def on_deadline_near(dispatch: Dispatch, batch: Batch) -> None:
    """True while the reader is to act on this very ply and has time left; set-ups may cross."""
    seen = _look(dispatch, kind="reminder")
    same = seen.number == dispatch.ref["ply"] or seen.match.status == Status.SETUP
    in_time = seen.me and seen.me.deadline and seen.me.deadline > seen.now
    _expect(bool(seen.my_turn and same and in_time))
    _send(letters.deadline_near, dispatch, batch, seen)


def on_draw_offered(dispatch: Dispatch, batch: Batch) -> None:
    """True while the offer stands."""
    seen = _look(dispatch)
    offerer = seen.opponent
    _expect(seen.match.is_live and offerer is not None and seen.match.draw_offer == offerer.seat)
    _send(letters.draw_offered, dispatch, batch, seen)


def on_draw_declined(dispatch: Dispatch, batch: Batch) -> None:
    """True while the match goes on and no other offer of the reader stands."""
    seen = _look(dispatch)
    _expect(seen.match.is_live and seen.match.draw_offer != seen.seat)
    _send(letters.draw_declined, dispatch, batch, seen)


def on_match_over(dispatch: Dispatch, batch: Batch) -> None:
    """True for good."""
    seen = _look(dispatch)
    _expect(not seen.match.is_live)
    _send(letters.match_over, dispatch, batch, seen)


def on_challenged(dispatch: Dispatch, batch: Batch) -> None:
    """True while the challenge can be accepted."""
    about, at = _invitation(dispatch)
    _expect(about.is_live(at) and about.guest_id == dispatch.user_id)
    _send(letters.invitation, dispatch, batch, about, at)


def on_invitation_declined(dispatch: Dispatch, batch: Batch) -> None:
    """True for good."""
    about, at = _invitation(dispatch)
    _expect(about.status == InvitationStatus.DECLINED)
    _send(letters.invitation_declined, dispatch, batch, about, at)


def on_invitation_stale(dispatch: Dispatch, batch: Batch) -> None:
    """True while the invitation is open and nobody has kept it open for longer."""
    about, at = _invitation(dispatch)
    _expect(about.is_live(at) and about.prolonged == dispatch.ref["prolonged"])
    _send(letters.invitation_stale, dispatch, batch, about, at)


def on_invitation_expired(dispatch: Dispatch, batch: Batch) -> None:
    """True for good."""
    about, at = _invitation(dispatch)
    _expect(about.status == InvitationStatus.EXPIRED)
    _send(letters.invitation_expired, dispatch, batch, about, at)


def _look(dispatch: Dispatch, kind: str = "match") -> Look:
    """The match as the reader sees it now."""
    try:
        seen = look(dispatch.ref["match"], _reader(dispatch, kind))
    except Match.DoesNotExist:
        raise Superseded from None
    _expect(seen.seat is not None)
    return seen


def _invitation(dispatch: Dispatch) -> tuple[Invitation, datetime]:
    """The invitation as it stands, and the instant at which it does."""
    _reader(dispatch, "match")
    found = Invitation.objects.select_related("owner", "guest").annotate(at=present())
    about = found.filter(pk=dispatch.ref["invitation"]).first()
    if about is None:
        raise Superseded
    return about, about.at


def _reader(dispatch: Dispatch, kind: str) -> User:
    """Whom the letter is for, if they still want letters of this kind."""
    reader = dispatch.user
    if reader is None or not (reader.is_active and reader.email and getattr(reader, KINDS[kind])):
        raise Superseded
    return reader


def _expect(still_so: bool) -> None:
    if not still_so:
        raise Superseded


def _send(letter: Callable[..., Letter], dispatch: Dispatch, batch: Batch, *about: object) -> None:
    """Write the letter as its reader reads, and hand it to the batch's one connection."""
    reader = dispatch.user
    assert reader is not None  # noqa: S101 - for the type checker
    with translation.override(reader.letter_language), timezone.override(reader.zoneinfo):
        message = letter(reader, *about, dispatch.message_id)
    batch.keep("smtp", _connection).send_messages([message])


def _connection() -> BaseEmailBackend:
    connection = get_connection()
    connection.open()
    return connection
