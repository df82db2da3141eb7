"""Registry of set-ups: the one place that knows which game brings some of its own."""

from collections.abc import Callable, Sequence
from random import Random

from games.deployments import assaut, domino, lattaque, tactique
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset

# The text of a sensible set-up for a seat with these pieces in hand.
Deploy = Callable[[Ruleset, Seat, Sequence[Rank], Random], str]

_DEPLOY: dict[str, Deploy] = {
    lattaque.FAMILY: lattaque.deploy,
    domino.FAMILY: domino.deploy,
    tactique.FAMILY: tactique.deploy,
    assaut.FAMILY: assaut.deploy,
}


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """A sensible set-up as its text; any valid one in a game that brings none.

    `hand` is what was dealt, empty where the army is the game's own.
    """
    how = _DEPLOY.get(rules.family)
    if how is not None:
        return how(rules, seat, hand, rng)
    return rules.setup_text(rules.random_setup(seat, rng, rules.start(rng)))
