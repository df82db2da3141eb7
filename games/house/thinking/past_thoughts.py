"""Thoughts: what the house believed at a turn of a match that is over, and what it then played.

It is thought again from its seat, and shown once both armies are public, since it tells of the
house's army too.
"""

from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.house import sealing
from games.house.models import HouseSeat
from games.house.thinking import child_client
from games.house.thinking.seat_lines import lines_of
from games.play.board import boards
from games.play.board.pieces import emblem
from games.play.record import match_view
from games.play.record.seat_history import SeatHistory, seat_history
from games.play.words import narration
from games.rules.core.basics.pieces import Seat
from lib.child_processes import ChildBusy, ChildLost

MAX_RANKS = 3  # of each piece that are told, the likeliest first


class NotOpen(Exception):  # noqa: N818 -- a lookup without a result, not an error.
    """The match is not over, not public yet, or was not played against the house."""


class Guess(NamedTuple):
    """What was believed of the piece on a square: drawn ranks with their chances in percent."""

    square: str
    ranks: list[tuple[SafeString, int]]
    others: str  # in words, where others are as likely as some that would be shown; else ""


def page(match_id: int, asked: int | None) -> dict[str, Any]:
    """The template context for a turn of the house, by default its last.

    Raises NotOpen, ChildBusy.
    """
    seat = _house_seat(match_id)
    history = seat_history(match_id, seat.player.user)
    if history is None or not history.match.is_open(history.at) or not history.turns:
        raise NotOpen
    number = min(max(asked or len(history.turns), 1), len(history.turns))
    told = history._replace(turns=history.turns[:number])
    turn = told.turns[-1]
    (played,) = match_view.entries(history.match, turn.number + 1, turn.number + 1)
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
        "played": played.text,
        "said": narration.sentence(history.match.rules, played),
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
        return child_client.beliefs(
            lines_of(told), sealing.read_seed(seat.seed, seat.pk), seat.level
        )
    except ChildBusy:
        raise
    except ChildLost:
        return {}


def _guesses(history: SeatHistory, chances: dict[str, dict[str, float]]) -> list[Guess]:
    order = sorted(chances, key=lambda name: (-int(name[1:]), name))
    return [_guess(history, square, chances[square]) for square in order]


def _guess(history: SeatHistory, square: str, chances: dict[str, float]) -> Guess:
    """The likeliest ranks of a piece, but for those that are no likelier than what is left out."""
    rules, seat = history.match.rules, history.seat.other
    likely = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
    percents = [(rank, round(100 * chance)) for rank, chance in likely if chance]
    told = [(rank, percent) for rank, percent in percents[:MAX_RANKS] if percent]
    left = percents[len(told) :]
    others = ""
    if left and told and told[-1][1] == left[0][1]:
        most = left[0][1]
        told = [(rank, percent) for rank, percent in told if percent > most]
        facts = {"count": len(percents) - len(told), "percent": most}
        others = (
            _("or one of %(count)s others, none above %(percent)s %%")
            if told
            else _("one of %(count)s possibilities, none above %(percent)s %%")
        ) % facts
    return Guess(square, [(emblem(rules, seat, rank), percent) for rank, percent in told], others)
