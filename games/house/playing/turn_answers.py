"""Answers of the house to a turn: set up, move or resign, by the commands that players use.

A move names the ply that it answers, so it is played once even if two workers compute it.
"""

import logging
from datetime import timedelta

from games.house import sealing
from games.house.models import HouseSeat
from games.house.thinking import child_client, seat_lines
from games.house.thinking.ending_decisions import is_lost
from games.play import refusals, time_controls
from games.play.commands import endings, moves
from games.play.record.seat_history import SeatHistory
from games.play.record.seat_lines import lines_of

log = logging.getLogger(__name__)

MARGIN = timedelta(seconds=1)  # a late answer counts as sent this long before the deadline


def answer(seat: HouseSeat) -> None:
    """Set up, move or resign; does nothing if it is not this seat's turn."""
    user = seat.player.user
    followed = seat_lines.cache.follow(seat.player.match_id, user)
    if followed is None or not followed.history.is_on_turn:
        return
    history, lines = followed
    number = history.match.pk
    if history.match.opening is None:
        set_up(history, seat)
        return
    seed = sealing.read_seed(seat.seed, seat.pk)
    thought = child_client.think(lines, seed, seat.level)
    try:
        if is_lost(thought.evaluations):
            endings.resign(number, user)
            return
        moves.submit_move(
            number, user, thought.move, history.turns[-1].number, waited=_overdue(history)
        )
    except (refusals.MatchMovedOn, refusals.MatchIsOver):
        # Another worker has played the move, or the match has ended meanwhile.
        log.debug("The answer of the house in match %s was outdated.", number)


def set_up(history: SeatHistory, seat: HouseSeat) -> None:
    """Send a set-up, which depends only on the seed and the pieces dealt."""
    line = lines_of(history)[-1]
    player = child_client.player_of(sealing.read_seed(seat.seed, seat.pk), seat.level)
    text = player.answer(line) or ""
    user, number = seat.player.user, history.match.pk
    try:
        moves.submit_move(number, user, text, None, waited=_overdue(history))
    except (refusals.MatchMovedOn, refusals.MatchIsOver):
        log.debug("The set-up of the house in match %s was outdated.", number)


def _overdue(history: SeatHistory) -> timedelta:
    """The time since just before the deadline, zero if it is not late.

    The service delayed the answer, so this time does not count against the house.
    """
    deadline = history.players[history.seat].deadline
    if not time_controls.is_late(history.at + MARGIN, deadline):
        return timedelta(0)
    assert deadline is not None  # noqa: S101 - only a deadline makes it late.
    return history.at - deadline + MARGIN
