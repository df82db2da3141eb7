"""Pictures of a game: its board, and those that its presentation declares."""

from django.utils.translation import gettext as _

from games.presentation import rule_queries
from games.presentation.pictures import Picture, Pictures
from games.presentation.registry import presentation_of
from games.rules import registry
from games.rules.core.ruleset.base import Ruleset

BOARD_SEED = 1909  # of the random set-ups in the picture of the board


def pictures(family: str) -> Pictures:
    """The pictures of a game, by name."""
    rules = registry.games[family][0]
    return {"board": _board(rules), **presentation_of(family).pictures(rules)}


def _board(rules: Ruleset) -> Picture:
    words = _("The starting position, seen by South")
    if not rules.hidden:
        words = _("A possible starting position")
    return Picture(rules, words, rule_queries.set_up(rules, BOARD_SEED))
