"""Work of the house: one run answers what waits, the longest waiting first, for a while."""

import logging
import time

from games.house import house_accounts
from games.house.models import HouseSeat
from games.house.playing import answers, offers, seats

log = logging.getLogger(__name__)

SHARE_SECONDS = 45.0  # of one run; a task may not take longer than CELERY_TASK_TIME_LIMIT


def work(seconds: float = SHARE_SECONDS) -> int:
    """Answer offers and turns; how many turns. Idempotent, also when several run at once."""
    until = time.monotonic() + seconds
    house = house_accounts.ensure()
    # Turns are answered in every run, whatever is offered.
    offers.answer_offers(house, time.monotonic() + seconds / 2)
    answered = 0
    while time.monotonic() < until:
        seats.note_turns(house)
        seat = seats.claim()
        if seat is None:
            break
        answered += _answer(seat)
    return answered


def _answer(seat: HouseSeat) -> bool:
    """Answer one seat; one that cannot be answered must not keep the others waiting."""
    try:
        answers.answer(seat)
    except Exception as error:
        # Its text may quote what only one side knows.
        log.error(
            "The house has no answer in match %s (%s); it thinks again.",
            seat.player.match_id,
            type(error).__name__,
        )
        seats.failed(seat)
        return False
    seats.done(seat)
    return True
