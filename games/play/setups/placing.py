"""Placing a whole army: one of the good set-ups, or any that the rules allow."""

import secrets

from games.deployments.registry import deploy
from games.play.setups import arrangement
from games.play.setups.arrangement import Arrangement
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset


def for_me(rules: Ruleset, seat: Seat, hand: tuple[Rank, ...]) -> Arrangement:
    """One of many good set-ups for the pieces in hand, mirrored or not, with some exchanged.

    It is drawn with the operating system's randomness, so that nobody can tell which it was.
    """
    return arrangement.from_text(rules, seat, deploy(rules, seat, hand, secrets.SystemRandom()))


def at_random(rules: Ruleset) -> Arrangement:
    """A set-up drawn uniformly from all that the rules allow, as South."""
    rng = secrets.SystemRandom()
    setup = rules.random_setup(Seat.SOUTH, rng, rules.start(rng))
    return arrangement.placed_by(rules, setup)
