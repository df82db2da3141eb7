"""Answers: what the house does in one seat whose turn has come, by the same commands as anybody.

A move names the ply that it answers, so however often it is thought, it is played once.
"""

import logging
from datetime import timedelta

from games.house import sealing
from games.house.models import HouseSeat
from games.house.thinking import child_client, seat_lines
from games.house.thinking.judgement import is_lost
from games.play import refusals, time_controls
from games.play.commands import endings, moves
from games.play.record.seat_history import SeatHistory

log = logging.getLogger(__name__)

MARGIN = timedelta(seconds=1)  # before its deadline, that an answer is taken to have come


def answer(seat: HouseSeat) -> None:
    """Set up, move or resign; nothing if it is not, or no longer, this seat's turn."""
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
        if is_lost(thought.standings):
            endings.resign(number, user)
            return
        moves.submit_move(
            number, user, thought.move, history.turns[-1].number, waited=_kept_waiting(history)
        )
    except (refusals.MatchMovedOn, refusals.MatchIsOver):
        # Somebody else was faster: a worker with the same thought, or the end of the match.
        log.debug("The house's answer in match %s was overtaken.", number)


def set_up(history: SeatHistory, seat: HouseSeat) -> None:
    """Send a set-up, which is a function of the seed and of what was dealt."""
    line = seat_lines.lines_of(history)[-1]
    player = child_client.player_of(sealing.read_seed(seat.seed, seat.pk), seat.level)
    text = player.answer(line) or ""
    user, number = seat.player.user, history.match.pk
    try:
        moves.submit_move(number, user, text, None, waited=_kept_waiting(history))
    except (refusals.MatchMovedOn, refusals.MatchIsOver):
        log.debug("The house's set-up in match %s was overtaken.", number)


def _kept_waiting(history: SeatHistory) -> timedelta:
    """How much too late it is: what kept it is the service's, and no fault of the player's."""
    deadline = history.players[history.seat].deadline
    if not time_controls.is_late(history.at + MARGIN, deadline):
        return timedelta(0)
    assert deadline is not None  # noqa: S101 - it is late
    return history.at - deadline + MARGIN
