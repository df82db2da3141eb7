"""What the front pages show: one's own matches by what they ask for, or a board to look at."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch
from django.utils.translation import gettext as _

from accounts.models import User
from games.play import boards
from games.play.models.match import Match, Opponent, Player, Status
from games.play.waiting import unseen_results, waiting_for, waiting_for_others
from games.relay.moment import now
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset

SHOWN = "lattaque-en"
EXAMPLE = "RRR.R.RSCEEBFLLM.ECBKLRSKBR.BSLGJJKYRKES"  # the welcome page's army, front row first
MOST = 50  # matches of each kind on the front page


def desk(user: User | AnonymousUser) -> dict[str, Any]:
    """The context of a player's front page; a fixed number of queries, however many matches."""
    rows = {
        "waiting": list(waiting_for(user)[:MOST]),
        "unseen": list(unseen_results(user)[:MOST]),
        "running": list(waiting_for_others(user)[:MOST]),
    }
    seat_opponents([player for players in rows.values() for player in players])
    return {**rows, "now": now(), "most": MOST}


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
    seated = Player.objects.filter(match__in=matches)
    opponents = {
        (match_id, Seat(seat).other): Opponent(Seat(seat), deadline, handle)
        for match_id, seat, deadline, handle in seated.values_list(
            "match_id", "seat", "deadline", "user__username"
        )
    }
    for player in players:
        player.opponent = opponents[player.match_id, Seat(player.seat)]
