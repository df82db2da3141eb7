"""Placing a whole army: one of the good set-ups, or any that the rules allow."""

import secrets

from games.deployments.registry import deploy
from games.play.setups import arrangement
from games.play.setups.arrangement import Arrangement
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset


def for_me(rules: Ruleset, seat: Seat, hand: tuple[Rank, ...]) -> Arrangement:
    """One of many good set-ups for these pieces, possibly mirrored, with some pieces exchanged.

    Drawn with the operating system's randomness, so that it cannot be predicted.
    """
    return arrangement.from_text(rules, seat, deploy(rules, seat, hand, secrets.SystemRandom()))


def at_random(rules: Ruleset) -> Arrangement:
    """A set-up drawn uniformly from all that the rules allow, as South."""
    rng = secrets.SystemRandom()
    setup = rules.random_setup(Seat.SOUTH, rng, rules.start(rng))
    return arrangement.placed_by(rules, setup)
