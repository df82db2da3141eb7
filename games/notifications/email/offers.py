"""Offers of draws and pauses and the e-mail about a turn: one e-mail reports both if it can."""

from datetime import datetime, timedelta

from games.outbox import publishing
from games.outbox.models import PENDING, Dispatch, Reason
from games.play.events import DrawOffered, PauseOffered, TurnCame
from games.play.record.match_view import MatchView
from lib.db_clock import now, now_expression

OFFERS = (DrawOffered.name, PauseOffered.name)
# A draw is usually offered with a move; the offer waits so long for the move.
WITH_MOVE = timedelta(minutes=10)
RECHECK = timedelta(seconds=30)  # between two looks at an e-mail about the turn that waits


def is_reported(dispatch: Dispatch) -> bool:
    """Whether the row of an offer was closed after its batch had claimed it."""
    return not Dispatch.objects.filter(PENDING, pk=dispatch.pk).exists()


def wait_for_turn(dispatch: Dispatch, view: MatchView) -> datetime | None:
    """Until when an offer's own e-mail waits for the e-mail about the turn; None: send it now."""
    at = dispatch.claimed_at or now()
    if not view.my_turn:
        # A pause offer lapses when its sender moves.
        until = dispatch.created_at + WITH_MOVE
        return until if dispatch.event == DrawOffered.name and until > at else None
    turn = {"match": view.match.pk, "ply": view.match.turn_ply}
    rows = publishing.rows_with(dispatch.handler, TurnCame.name, dispatch.user_id, turn)
    not_before = rows.filter(PENDING).values_list("not_before", flat=True).first()
    return None if not_before is None else max(not_before, at) + RECHECK


def close_reported(dispatch: Dispatch, view: MatchView) -> None:
    """Close the rows of the offers that a sent e-mail about a turn has reported."""
    match, other = view.match, view.opponent
    if other is None:
        return
    numbers = {}
    if match.draw_offer == other.seat:
        numbers[DrawOffered.name] = match.draws_offered
    if match.pause_offer == other.seat:
        numbers[PauseOffered.name] = match.pauses_offered
    for event, offer in numbers.items():
        # The draw may have been offered before the move, and staff may have looked since.
        plies = range(match.turn_ply - 1 - match.looks, match.ply + 1)
        ids = [{"match": match.pk, "ply": ply, "offer": offer} for ply in plies]
        reported = publishing.rows_with(dispatch.handler, event, dispatch.user_id, *ids)
        reported.filter(PENDING).update(
            superseded_at=now_expression(), lease_until=None, reason=Reason.WITH_TURN
        )
