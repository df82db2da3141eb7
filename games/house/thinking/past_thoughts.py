"""Past thoughts: the page with the beliefs and the move of the house at a turn of a finished match.

Beliefs are computed again from the record. They reveal something of the house's own army too, so
the page exists only when both armies are public.
"""

from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.house import sealing
from games.house.models import HouseSeat
from games.house.thinking import child_client
from games.play.board import boards
from games.play.board.pieces import emblem
from games.play.record import match_view
from games.play.record.seat_history import SeatHistory, seat_history
from games.play.record.seat_lines import lines_of
from games.play.words import narration
from games.rules.core.basics.pieces import Seat
from lib.child_processes import ChildBusy, ChildLost

MAX_RANKS = 3  # shown for each piece, the likeliest first


class NotOpen(Exception):  # noqa: N818 - a lookup without a result, not an error.
    """The match is running, is not public yet, or was not played against the house."""


class Guess(NamedTuple):
    """The belief about the piece on a square: pictures of ranks, with their chances in percent."""

    square: str
    ranks: list[tuple[SafeString, int]]
    others: str  # a phrase for ranks left out that are as likely as one of the first; else ""


def page(match_id: int, turn_number: int | None) -> dict[str, Any]:
    """The template context for a turn of the house, counted from 1, by default its last.

    Raises NotOpen, ChildBusy.
    """
    seat = _house_seat(match_id)
    history = seat_history(match_id, seat.player.user)
    if history is None or not history.match.is_open(history.at) or not history.turns:
        raise NotOpen
    number = min(max(turn_number or len(history.turns), 1), len(history.turns))
    up_to_turn = history._replace(turns=history.turns[:number])
    turn = up_to_turn.turns[-1]
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
        "sentence": narration.sentence(history.match.rules, played),
        "is_hidden": history.match.rules.hidden,
        "guesses": _guesses(history, _chances(up_to_turn, seat)),
    }


def _house_seat(match_id: int) -> HouseSeat:
    seat = HouseSeat.objects.filter(player__match=match_id).select_related("player__user").first()
    if seat is None:
        raise NotOpen
    return seat


def _chances(history: SeatHistory, seat: HouseSeat) -> dict[str, dict[str, float]]:
    """The belief by square; empty if the game hides nothing or no child process can be started.

    Raises ChildBusy.
    """
    if not history.match.rules.hidden:
        return {}
    try:
        return child_client.beliefs(
            lines_of(history), sealing.read_seed(seat.seed, seat.pk), seat.level
        )
    except ChildBusy:
        raise
    except ChildLost:
        return {}


def _guesses(history: SeatHistory, chances: dict[str, dict[str, float]]) -> list[Guess]:
    order = sorted(chances, key=lambda name: (-int(name[1:]), name))
    return [_guess(history, square, chances[square]) for square in order]


def _guess(history: SeatHistory, square: str, chances: dict[str, float]) -> Guess:
    """The likeliest ranks of a piece, except those that are only as likely as one left out."""
    rules, seat = history.match.rules, history.seat.other
    likely = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))
    percents = [(rank, round(100 * chance)) for rank, chance in likely if chance]
    shown = [(rank, percent) for rank, percent in percents[:MAX_RANKS] if percent]
    left_out = percents[len(shown) :]
    others = ""
    if left_out and shown and shown[-1][1] == left_out[0][1]:
        most = left_out[0][1]
        shown = [(rank, percent) for rank, percent in shown if percent > most]
        numbers = {"count": len(percents) - len(shown), "percent": most}
        others = (
            _("or one of %(count)s others, none above %(percent)s %%")
            if shown
            else _("one of %(count)s possibilities, none above %(percent)s %%")
        ) % numbers
    return Guess(square, [(emblem(rules, seat, rank), percent) for rank, percent in shown], others)
