"""Work queue of the house: a run answers offers and turns, oldest first, for a limited time."""

import logging
import time

from games.house import house_accounts
from games.house.models import HouseSeat
from games.house.playing import offer_answers, seats, turn_answers

log = logging.getLogger(__name__)

SHARE_SECONDS = 45.0  # less than CELERY_TASK_TIME_LIMIT


def work(seconds: float = SHARE_SECONDS) -> int:
    """Answer offers and turns. Returns how many turns. Idempotent, also when runs overlap."""
    until = time.monotonic() + seconds
    house = house_accounts.ensure()
    # Half of the time, so that many offers cannot delay the turns.
    offer_answers.answer_offers(house, time.monotonic() + seconds / 2)
    answered = 0
    while time.monotonic() < until:
        seats.schedule_turns(house)
        seat = seats.claim()
        if seat is None:
            break
        answered += _answer(seat)
    return answered


def _answer(seat: HouseSeat) -> bool:
    """Answer the turn of one seat; False after an error, which does not stop the others."""
    try:
        turn_answers.answer(seat)
    except Exception as error:
        # Only the type is logged: the message may contain what only one side knows.
        log.error(
            "The house could not answer in match %s (%s); it will try again.",
            seat.player.match_id,
            type(error).__name__,
        )
        seats.failed(seat)
        return False
    seats.done(seat)
    return True
