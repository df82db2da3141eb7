"""Tournaments from plain values, as the command and the admin take them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive, make_aware

from games.competitions.tournaments.models import DEFAULT_SETUP_PACE, State, Tournament
from games.idempotency.replay import command_transaction
from games.play.terms import DEFAULT_PACE
from lib.db_clock import now

FIELDS = (
    *("title", "preset", "pace", "setup_pace", "vacations", "rated"),
    *("group_size", "grouping", "stages", "places", "at_once", "rating_from", "rating_to"),
    *("min_finished", "max_entries", "opens_at", "closes_at", "days"),
)
REQUIRED = ("title", "preset", "closes_at")
INSTANTS = ("opens_at", "closes_at")


class BadTournamentError(ValueError):
    """Values are no tournament; the text says which, and what would be right."""


def make(given: object) -> Tournament:
    """Make a tournament that is open for entry, from values by the names of fields.

    `opens_at` is now if left out. `seed` replaces the random seed, for tests. Raises
    BadTournamentError.
    """
    if not isinstance(given, dict):
        raise BadTournamentError("A tournament is an object of fields.")
    known = (*FIELDS, "seed")
    if unknown := [str(name) for name in given if name not in known]:
        raise BadTournamentError(
            f"There is no field {unknown[0]!r}; the fields are {', '.join(known)}."
        )
    if missing := [name for name in REQUIRED if not given.get(name)]:
        raise BadTournamentError(f"The field {missing[0]} is missing.")
    values = {"opens_at": now(), "pace": DEFAULT_PACE, "setup_pace": DEFAULT_SETUP_PACE}
    values |= {name: value for name, value in given.items() if value is not None}
    for name in INSTANTS:
        values[name] = _instant(values[name], name)
    tournament = Tournament(**values, state=State.OPEN)
    try:
        tournament.full_clean()
    except OverflowError:
        raise BadTournamentError("A number is too large.") from None
    except ValidationError as error:
        name, sentences = next(iter(error.message_dict.items()))
        raise BadTournamentError(f"{name}: {' '.join(sentences)}") from None
    with command_transaction():
        tournament.save()
    return tournament


def _instant(given: Any, name: str) -> datetime:
    """An instant; without an offset it is UTC."""
    at = given
    if not isinstance(given, datetime):
        try:
            at = parse_datetime(given) if isinstance(given, str) else None
        except ValueError:
            at = None
    if at is None:
        raise BadTournamentError(f"{name} is no instant such as 2026-12-01T12:00:00Z.")
    return make_aware(at) if is_naive(at) else at
