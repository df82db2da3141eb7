"""Opens matches against the house, within limits; the house sends its set-up at once."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db.models import Q

from accounts.models import User
from games.house import house_accounts, refusals, wake_ups
from games.house.playing import seats, turn_answers
from games.idempotency.replay import command_transaction
from games.people.locks import lock_users
from games.play.commands.matches import open_match
from games.play.models.match import Match, Player
from games.play.record.seat_history import seat_history
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

MAX_LIVE_MATCHES = 20  # of one player against the house
MAX_MATCHES_A_DAY = 60
PACE, SETUP_PACE = "7d", "7d"  # so that an abandoned match ends


def play_the_house(
    user: User,
    *,
    preset: str,
    level: str,
    seat: Seat | None = None,
    leisurely: bool = False,
) -> Match:
    """Open a match against the house, which sends its set-up at once; raises Refusal.

    `seat` is the user's; None: drawn by lot.
    """
    house = house_accounts.opponent(level)
    if not house.is_active:
        raise refusals.away(house)
    terms = Terms(preset, pace=PACE, setup_pace=SETUP_PACE, vacations=True)
    own = Seat(secrets.choice(list(Seat))) if seat is None else seat
    with command_transaction():
        # So that several requests at once, of a person and their bots, cannot exceed the limits.
        lock_users({user.pk, user.owner_id or user.pk})
        check_limits(user)
        match = open_match(terms, {own: user, own.other: house})
        take_seat(match, house, leisurely=leisurely)
    wake_ups.send()
    match.refresh_from_db()
    return match


def take_seat(match: Match, house: User, *, leisurely: bool) -> None:
    """Take the seat of the house in a new match, and send its set-up if that is its turn."""
    player = Player.objects.select_related("user", "match").get(match=match, user=house)
    seat = seats.take(player, leisurely=leisurely)
    history = seat_history(match.pk, house)
    if history is not None and history.is_on_turn:
        turn_answers.set_up(history, seat)


def check_limits(user: User) -> None:
    """Raise a Refusal if this user has reached a limit of matches against the house.

    A person and their bots count as one.
    """
    person = user.owner_id or user.pk
    accounts = User.objects.filter(Q(pk=person) | Q(owner=person)).values("pk")
    against = Player.objects.filter(
        user__in=accounts, match__players__user__in=house_accounts.ensure()
    )
    if against.filter(live=True).count() >= MAX_LIVE_MATCHES:
        raise refusals.too_many_live(MAX_LIVE_MATCHES)
    since = now() - timedelta(days=1)
    if against.filter(match__created_at__gt=since).count() >= MAX_MATCHES_A_DAY:
        raise refusals.too_many_today(MAX_MATCHES_A_DAY)
