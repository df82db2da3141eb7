"""Moves, set-ups and actions in one's own matches."""

from collections.abc import Callable
from typing import cast

from accounts.models import User
from games.api.gate.callers import PLAY, TokenRequest
from games.api.gate.problems import Problem, not_found
from games.api.interface import api, codes
from games.api.playing import refusing
from games.api.schemas.basics import Number
from games.api.schemas.matches import MatchStatus
from games.api.schemas.playing import ActionBody, MoveBody, Receipt, SetupBody
from games.play import refusals
from games.play.commands import courtesies, endings, moves
from games.play.models.match import Match, Player
from games.play.record.match_queries import fetch_match

ACTIONS: dict[str, Callable[[int, User], None]] = {
    "resign": endings.resign,
    "abort": endings.abort,
    "offer-draw": endings.offer_draw,
    "accept-draw": endings.accept_draw,
    "decline-draw": endings.decline_draw,
    "claim": endings.claim_win,
    "give-day": courtesies.give_day,
    "offer-pause": courtesies.offer_pause,
    "accept-pause": courtesies.accept_pause,
    "decline-pause": courtesies.decline_pause,
    "resume": courtesies.resume,
}


@api.post(
    "/matches/{number:match_id}/moves",
    auth=PLAY,
    response=Receipt,
    openapi_extra=codes(
        "stale-ply",
        "not-your-turn",
        "match-over",
        "too-late",
        "not-now",
        "unreadable-move",
        "ambiguous-move",
        "illegal-move",
    ),
)
def play_move(request: TokenRequest, match_id: Number, body: MoveBody) -> Receipt:
    """Play a move

    `ply` is the match's newest ply: a move for an older one is refused, unless it is the move that
    was played then.
    """
    with refusing.problems():
        try:
            played = moves.submit_move(match_id, request.user, body.move, body.ply)
        except refusals.MatchMovedOn as refusal:
            raise _stale(match_id, body.ply, refusal) from None
    return _receipt(played)


@api.post(
    "/matches/{number:match_id}/setup",
    auth=PLAY,
    response=Receipt,
    openapi_extra=codes("match-over", "too-late", "not-now", "bad-setup"),
)
def send_setup(request: TokenRequest, match_id: Number, body: SetupBody) -> Receipt:
    """Send a set-up

    A set-up cannot be changed once it is sent; the same one again is answered as the first.
    """
    with refusing.problems():
        try:
            played = moves.submit_move(match_id, request.user, body.setup, None)
        except refusals.MatchMovedOn:
            raise _no_setup(match_id, request.user) from None
    return _receipt(played)


@api.post(
    "/matches/{number:match_id}/actions",
    auth=PLAY,
    response=Receipt,
    openapi_extra=codes("match-over", "not-now", "stale-ply"),
)
def act(request: TokenRequest, match_id: Number, body: ActionBody) -> Receipt:
    """Resign, abort, offer or answer a draw or a pause, claim a win on time, give a day

    Offering what the opponent offers accepts it. Each `give-day` gives another day.
    """
    # Before the command, which may say first that the match is over.
    if not Player.objects.filter(match=match_id, user=request.user).exists():
        raise not_found()
    with refusing.problems():
        ACTIONS[body.action](match_id, request.user)
    ply, status = Match.objects.values_list("ply", "status").get(pk=match_id)
    return Receipt(match=match_id, ply=ply, status=cast(MatchStatus, status), repeated=False)


def _receipt(played: moves.Receipt) -> Receipt:
    return Receipt(
        match=played.match_id,
        ply=played.ply,
        status=cast(MatchStatus, played.status.value),
        repeated=played.repeated,
    )


def _stale(match_id: int, ply: int, refusal: refusals.MatchMovedOn) -> Problem:
    """The problem of a move for another ply than the newest, or before the set-up."""
    match = Match.objects.only("ply", "newest_looks").get(pk=match_id)
    if match.is_at(ply):
        return refusing.problem_of(refusals.set_up_first())
    # The refusal's own sentence speaks of a page.
    return Problem(refusal.code, ply=match.ply)


def _no_setup(match_id: int, user: User) -> Problem:
    """The problem of a set-up that was sent before, or of a seat without one."""
    match, players, _at = fetch_match(match_id)
    sets_up = any(players[seat].user_id == user.pk for seat in match.rules.seats_setting_up)
    refusal = refusals.set_up_already() if sets_up else refusals.nothing_to_set_up()
    return refusing.problem_of(refusal)
