"""Thoughts: what the house believed at a turn of a match that is over, thought again from its seat.

It is shown once both armies are public, since it tells of the house's army too.
"""

from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.house import sealing, thinking
from games.house.lines import lines_of
from games.house.models import HouseSeat
from games.play.board import boards
from games.play.board.pieces import emblem
from games.play.record.seat_history import SeatHistory, seat_history
from games.rules.core.pieces import Seat
from games.sandbox.child import ChildLost

MAX_RANKS = 3  # of each piece that are told, the likeliest first


class NotOpen(Exception):  # noqa: N818 -- a lookup without a result, not an error.
    """The match is not over, not public yet, or was not played against the house."""


class Guess(NamedTuple):
    """What was believed of the piece on a square: drawn ranks with their chances in percent."""

    square: str
    ranks: list[tuple[SafeString, int]]


def page(match_id: int, asked: int | None) -> dict[str, Any]:
    """The template context for a turn of the house, by default its last; raises NotOpen."""
    seat = _house_seat(match_id)
    history = seat_history(match_id, seat.player.user)
    if history is None or not history.match.is_open(history.at) or not history.turns:
        raise NotOpen
    number = min(max(asked or len(history.turns), 1), len(history.turns))
    told = history._replace(turns=history.turns[:number])
    turn = told.turns[-1]
    return {
        "match": history.match,
        "house": seat.player.user,
        "turn": number,
        "turns": len(history.turns),
        "before": number - 1,
        "after": number + 1 if number < len(history.turns) else 0,
        "ply": turn.number - (history.match.opening or 0),
        "board": boards.table(
            history.match.rules,
            turn.observation.pieces,
            caption=_("The board as %(player)s saw it") % {"player": seat.player.user},
            turned=history.seat is Seat.NORTH,
        ),
        "is_hidden": history.match.rules.hidden,
        "guesses": _guesses(history, _chances(told, seat)),
    }


def _house_seat(match_id: int) -> HouseSeat:
    found = HouseSeat.objects.filter(player__match=match_id).select_related("player__user").first()
    if found is None:
        raise NotOpen
    return found


def _chances(told: SeatHistory, seat: HouseSeat) -> dict[str, dict[str, float]]:
    """What was believed of each piece; nothing if nothing is hidden, or nobody can think now."""
    if not told.match.rules.hidden:
        return {}
    try:
        return thinking.beliefs(lines_of(told), sealing.read_seed(seat.seed, seat.pk), seat.level)
    except ChildLost:
        return {}


def _guesses(history: SeatHistory, chances: dict[str, dict[str, float]]) -> list[Guess]:
    rules = history.match.rules
    guesses = []
    for square in sorted(chances, key=lambda name: (-int(name[1:]), name)):
        likely = sorted(chances[square].items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_RANKS]
        shown = [
            (emblem(rules, history.seat.other, rank), round(100 * chance))
            for rank, chance in likely
            if round(100 * chance)
        ]
        guesses.append(Guess(square, shown))
    return guesses
