"""What the front pages show: one's own matches by what they ask for, or a board to look at."""

from typing import Any

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from accounts.models import User
from games.play import boards, listing
from games.play.models.match import Match, Player, Status
from games.relay.moment import now
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset

SHOWN = "lattaque-en"
EXAMPLE = "RRR.R.RSCEEBFLLM.ECBKLRSKBR.BSLGJJKYRKES"  # the welcome page's army, front row first


def desk(user: User) -> dict[str, Any]:
    """The context of a player's front page; a fixed number of queries, however many matches."""
    waiting, unseen = listing.on_turn(user.pk), listing.unseen(user.pk)
    running = listing.not_on_turn(user.pk)
    return {
        "waiting": waiting,
        "unseen": unseen,
        "running": running,
        "whole": listing.whole([*waiting, *unseen, *running]),
        "now": now(),
        "most": listing.MOST,
    }


def shop_window() -> dict[str, Any]:
    """The context of the welcome page: the newest finished matches."""
    finished = Match.objects.filter(status=Status.FINISHED).order_by("-finished_at", "-id")
    players = Prefetch("players", Player.objects.select_related("user").order_by("seat"))
    rules = registry.ruleset(SHOWN)
    return {
        "finished": finished.prefetch_related(players)[:5],
        "board": boards.table(rules, _example(rules), caption=_("L'Attaque, as South sees it")),
    }


def _example(rules: Ruleset) -> dict[str, SeenPiece]:
    """A board to look at, of no match: South's army open, North's hidden."""
    rows = zip(rules.zone(Seat.SOUTH), EXAMPLE, strict=True)
    south = {square: SeenPiece(Seat.SOUTH, rank) for square, rank in rows if rank != "."}
    north = {square: SeenPiece(Seat.NORTH, None) for square in rules.zone(Seat.NORTH)[4:]}
    return south | north


def seat_opponents(players: list[Player]) -> None:
    """Give each player its `opponent`; one query for all."""
    matches = {player.match_id for player in players}
    seated = Player.objects.filter(match__in=matches).select_related("user")
    by_match: dict[int, list[Player]] = {}
    for other in seated:
        by_match.setdefault(other.match_id, []).append(other)
    for player in players:
        others = [other for other in by_match[player.match_id] if other.pk != player.pk]
        player.opponent = others[0]
