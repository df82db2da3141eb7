"""Fixtures of the house: Alice plays against it. Thoughts are thought in the real child process."""

import atexit
from collections.abc import Callable
from random import Random

import pytest

from accounts.models import User
from games.deployments.registry import deploy
from games.house import opening, players, thinking, work
from games.play.commands import moves
from games.play.models.match import Match
from games.play.record.match_view import view_match
from games.rules.core.notation import write_move
from games.rules.core.pieces import Seat

atexit.register(thinking.stop)


@pytest.fixture
def against(alice: User) -> Callable[..., Match]:
    """Opens a match of Alice, South, against a recruit; both armies stand."""

    def begin(preset: str = "lattaque-en", level: str = "recruit", **terms: object) -> Match:
        seat = Seat(terms.pop("seat", Seat.SOUTH))  # type: ignore[arg-type]
        match = opening.play_the_house(alice, preset=preset, level=level, seat=seat, **terms)  # type: ignore[arg-type]
        view = view_match(match.pk, alice)
        if view.my_turn and match.opening is None:
            hand = view.observation.hand[seat] if view.observation.aside[seat] else ()
            army = deploy(match.rules, seat, hand or (), Random(7))
            moves.submit_move(match.pk, alice, army, None)
        match.refresh_from_db()
        return match

    return begin


def move_first(match: Match, user: User) -> str:
    """Play the first of the legal moves; its text."""
    view = view_match(match.pk, user)
    text = min(write_move(view.rules, move) for move in view.observation.moves)
    moves.submit_move(match.pk, user, text, view.number)
    match.refresh_from_db()
    return text


def house_of(match: Match) -> User:
    house: User = User.objects.exclude(house_level="").get(pk__in=match.players.values("user"))
    return house


def let_answer(match: Match) -> Match:
    """What a worker of the house does, and the match after it."""
    work.work()
    match.refresh_from_db()
    return match


def everybody() -> list[str]:
    return [players.name_of(level) for level in players.LEVELS]
