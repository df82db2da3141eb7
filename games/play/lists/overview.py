"""Template context of the front pages: a player's matches, or an example board for visitors."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.board import boards
from games.play.lists import listing, waiting
from games.play.models.match import Match, Player, Status
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset

EXAMPLE_PRESET = "lattaque-en"
# The army on the visitors' page, front row first.
EXAMPLE_ARMY = "RRR.R.RSCEEBFLLM.ECBKLRSKBR.BSLGJJKYRKES"


def home_lists(user: User) -> dict[str, Any]:
    """The context of a player's front page; always the same number of queries."""
    on_turn, unseen = listing.on_turn(user.pk), listing.unseen(user.pk)
    running = listing.not_on_turn(user.pk)
    row = waiting.front_page_row(user.pk)
    return {
        "waiting": [each for each in on_turn if each.plan_answers_at is None],
        "planned": [each for each in on_turn if each.plan_answers_at is not None],
        "unseen": unseen,
        "running": running,
        "last_moves": listing.last_moves([*on_turn, *running]),
        "has_finished": row.has_finished,
        "whole": listing.full_matches([*on_turn, *unseen, *running]),
        "now": row.at,
        "most": listing.MAX_ROWS,
        # Otherwise the masthead queries them.
        "waiting_count": row.waiting.matches,
        "challenge_count": row.waiting.challenges,
    }


def example_board() -> dict[str, Any]:
    """The context of the visitors' page: an example board and the newest finished matches."""
    finished = Match.objects.filter(status=Status.FINISHED).order_by("-finished_at", "-id")
    players = Prefetch("players", Player.objects.select_related("user").order_by("seat"))
    rules = registry.ruleset(EXAMPLE_PRESET)
    return {
        "finished": finished.prefetch_related(players)[:5],
        "board": boards.table(
            rules, _example_pieces(rules), caption=_("L'Attaque, as South sees it")
        ),
    }


def _example_pieces(rules: Ruleset) -> dict[str, SeenPiece]:
    """The pieces of the example board: South's army visible, North's hidden."""
    rows = zip(rules.zone(Seat.SOUTH), EXAMPLE_ARMY, strict=True)
    south = {square: SeenPiece(Seat.SOUTH, rank) for square, rank in rows if rank != "."}
    north = {square: SeenPiece(Seat.NORTH, None) for square in rules.zone(Seat.NORTH)[4:]}
    return south | north


def seat_opponents(players: Sequence[Player]) -> None:
    """Set `opponent` of each player; one query for all."""
    matches = {player.match_id for player in players}
    seated = Player.objects.filter(match__in=matches).select_related("user")
    by_match: dict[int, list[Player]] = {}
    for other in seated:
        by_match.setdefault(other.match_id, []).append(other)
    for player in players:
        others = [other for other in by_match[player.match_id] if other.pk != player.pk]
        player.opponent = others[0]
