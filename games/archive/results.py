"""Results of one player: won, lost and drawn matches, by game."""

from typing import NamedTuple

from django.db.models import Count

from accounts.models import User
from games.archive.finished_matches import WINNER_LETTERS
from games.play.models.match import Match, Player, Status
from games.rules import registry
from games.rules.core.basics.pieces import Seat


class Total(NamedTuple):
    """How many finished matches of one game a player has won, lost and drawn."""

    game: str  # the title, untranslated
    family: str
    won: int
    lost: int
    drawn: int

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


def side_of(match: Match, user: User) -> str:
    """ "won", "lost" or "drawn", for a player of a finished match whose players are prefetched."""
    seat = next(Seat(one.seat) for one in match.players.all() if one.user_id == user.pk)
    return _side(match.result, seat)


def totals(user: User) -> list[Total]:
    """The results of a player in each game that they have finished; one query."""
    seats = Player.objects.filter(user=user, live=False, match__status=Status.FINISHED)
    rows = seats.order_by().values_list("match__preset", "seat", "match__result")
    counted: dict[str, dict[str, int]] = {}
    for preset, seat, result, count in rows.annotate(count=Count("pk")):
        family = registry.ruleset(preset).family
        sides = counted.setdefault(family, {"won": 0, "lost": 0, "drawn": 0})
        sides[_side(result, Seat(seat))] += count
    return [
        Total(registry.title(family), family, **counted[family])
        for family in registry.games
        if family in counted
    ]


def _side(result: str, seat: Seat) -> str:
    if result == "draw":
        return "drawn"
    return "won" if result in WINNER_LETTERS[seat] else "lost"
