"""Registry of the good set-ups of all games."""

from collections.abc import Callable, Sequence
from random import Random

from games.deployments import assaut, domino, lattaque, tactique
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset

# Returns the text of a sensible set-up for a seat with these pieces in hand.
Deploy = Callable[[Ruleset, Seat, Sequence[Rank], Random], str]

_DEPLOY: dict[str, Deploy] = {
    lattaque.FAMILY: lattaque.deploy,
    domino.FAMILY: domino.deploy,
    tactique.FAMILY: tactique.deploy,
    assaut.FAMILY: assaut.deploy,
}


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """The text of a sensible set-up; of a random valid one for a game without patterns.

    `hand` are the pieces dealt; empty if the whole army is set up.
    """
    deploy_game = _DEPLOY.get(rules.family)
    if deploy_game is not None:
        return deploy_game(rules, seat, hand, rng)
    return rules.setup_text(rules.random_setup(seat, rng, rules.start(rng)))
