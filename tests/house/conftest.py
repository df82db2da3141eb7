"""Fixtures of the house tests: Alice plays against it. Moves come from the real child process."""

import atexit
from collections.abc import Callable
from random import Random

import pytest

from accounts.models import User
from games.deployments.registry import deploy
from games.house import house_accounts
from games.house.playing import new_match, queue
from games.house.thinking import child_client
from games.play.commands import moves
from games.play.models.match import Match
from games.play.record.match_view import view_match
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move

atexit.register(child_client.stop)


@pytest.fixture
def against(alice: User) -> Callable[..., Match]:
    """Opens a match of Alice, by default South, against a recruit; both have set up."""

    def begin(preset: str = "lattaque-en", level: str = "recruit", **terms: object) -> Match:
        seat = Seat(terms.pop("seat", Seat.SOUTH))  # type: ignore[arg-type]
        match = new_match.play_the_house(alice, preset=preset, level=level, seat=seat, **terms)  # type: ignore[arg-type]
        view = view_match(match.pk, alice)
        if view.my_turn and match.opening is None:
            hand = view.observation.hand[seat] if view.observation.aside[seat] else ()
            army = deploy(match.rules, seat, hand or (), Random(7))
            moves.submit_move(match.pk, alice, army, None)
        match.refresh_from_db()
        return match

    return begin


def move_first(match: Match, user: User) -> str:
    """Play the first legal move, in the order of their texts; returns its text."""
    view = view_match(match.pk, user)
    text = min(write_move(view.rules, move) for move in view.observation.moves)
    moves.submit_move(match.pk, user, text, view.number)
    match.refresh_from_db()
    return text


def house_of(match: Match) -> User:
    house: User = User.objects.exclude(house_level="").get(pk__in=match.players.values("user"))
    return house


def let_answer(match: Match) -> Match:
    """Run the house's queue once; returns the match, reloaded."""
    queue.work()
    match.refresh_from_db()
    return match


def house_names() -> list[str]:
    return [house_accounts.name_of(level) for level in house_accounts.LEVELS]
