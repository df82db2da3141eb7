"""Entering and leaving before the draw. Refusals say what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.competitions.tournaments.commands import locking
from games.competitions.tournaments.models import Entry, State, Tournament
from games.idempotency.replay import command_transaction
from games.people.models import Reliability
from games.people.standing import limits
from games.play.words import times
from games.ratings.shown import shown_rating
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User


class NotOpen(Refusal):
    """Entry is not open."""


class NotEligible(Refusal):
    """A condition of the tournament is not fulfilled."""


def enter(tournament_id: int, user: User) -> None:
    """Enter a tournament. Idempotent. Raises a Refusal, or Tournament.DoesNotExist."""
    with command_transaction():
        tournament = locking.locked(tournament_id)
        if tournament.state == State.DRAFT:
            raise Tournament.DoesNotExist
        entry = tournament.entries.filter(user=user).first()
        if entry is not None and entry.status != Entry.Status.WITHDRAWN:
            return
        if entry is not None:
            raise NotOpen(gettext_noop("An organiser has excluded you from this tournament."))
        check_open(tournament)
        check_entry(tournament, user)
        entered = tournament.entries.filter(status=Entry.Status.ENTERED)
        if entered.count() >= tournament.max_entries:
            raise NotOpen(
                gettext_noop("All %(count)s places are taken."), count=tournament.max_entries
            )
        Entry.objects.create(tournament=tournament, user=user, entered_at=now())


def leave(tournament_id: int, user: User) -> None:
    """Take an entry back before the draw. Idempotent. Raises NotOpen once it has been drawn."""
    with command_transaction():
        tournament = locking.locked(tournament_id)
        if tournament.state not in (State.OPEN, State.CANCELLED):
            raise NotOpen(gettext_noop("The tournament has begun, so leaving it is withdrawing."))
        tournament.entries.filter(user=user, status=Entry.Status.ENTERED).delete()


def leave_all(user: User) -> None:
    """Take back every entry that has not been drawn: the account is to be closed."""
    open_entries = Entry.objects.filter(
        user=user, status=Entry.Status.ENTERED, tournament__state=State.OPEN
    )
    for tournament_id in open_entries.order_by("pk").values_list("tournament", flat=True):
        leave(tournament_id, user)


def check_open(tournament: Tournament) -> None:
    """Raise NotOpen unless entry is open now."""
    at = now()
    if tournament.state == State.OPEN and at < tournament.opens_at:
        raise NotOpen(gettext_noop("Entry opens on %(at)s."), at=times.Instant(tournament.opens_at))
    if tournament.state != State.OPEN or at >= tournament.closes_at:
        raise NotOpen(gettext_noop("Entry to this tournament is closed."))


def check_entry(tournament: Tournament, user: User) -> None:
    """Raise a Refusal for a user who may not play in a tournament, at entry and at the draw."""
    if user.kind != "person" or not user.is_active:
        raise NotEligible(gettext_noop("Only people with an account can enter tournaments."))
    limits.check_staying(user)
    limits.check_bar(user.pk)
    finished = Reliability.objects.filter(user=user).values_list("finished", flat=True).first() or 0
    if finished < tournament.min_finished:
        raise NotEligible(
            gettext_noop(
                "This tournament is for players who have finished at least %(least)s matches; you "
                "have finished %(count)s."
            ),
            least=tournament.min_finished,
            count=finished,
        )
    rating = shown_rating(user.pk, tournament.rules.family).rating
    least, most = tournament.rating_from, tournament.rating_to
    if least and rating < least:
        raise NotEligible(
            gettext_noop(
                "This tournament is for ratings of at least %(least)s; yours is %(rating)s."
            ),
            least=least,
            rating=rating,
        )
    if most and rating > most:
        raise NotEligible(
            gettext_noop(
                "This tournament is for ratings of at most %(most)s; yours is %(rating)s."
            ),
            most=most,
            rating=rating,
        )
    limits.check_cap(user.pk, tournament.matches_a_player)
