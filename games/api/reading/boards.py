"""The board of a match, as its viewpoint sees it."""

from games.api.gate.callers import Request
from games.api.gate.problems import not_found
from games.api.interface import api
from games.api.schemas.basics import Number
from games.api.schemas.boards import Board, Piece, ViewpointName
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.record.snapshot import NoSuchPly
from games.protocol.lines import UNKNOWN
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.text.notation import board_text, write_move


@api.get("/matches/{number:match_id}/board", auth=None, response=Board)
def board(
    request: Request,
    match_id: Number,
    ply: Number | None = None,
    viewpoint: ViewpointName | None = None,
) -> Board:
    """The board after a ply

    After the newest ply without `ply`. The viewpoint is the asker's own without `viewpoint`; any
    other may be taken once both armies are public.
    """
    try:
        view = match_view.view_match(
            match_id, request.user, ply=ply, viewpoint=viewpoint and Viewpoint(viewpoint)
        )
    except (Match.DoesNotExist, NoSuchPly, match_view.ViewpointNotAllowed):
        raise not_found() from None
    return _board(view)


def _board(view: MatchView) -> Board:
    rules, seen = view.rules, view.observation
    letters, own = rules.seat_letters, view.viewpoint.seat
    is_over = view.is_newest and not view.match.is_live
    return Board(
        match=view.match.pk,
        ply=view.number,
        viewpoint=view.viewpoint.value,
        phase="setup" if view.opening is None or view.number < view.opening else "play",
        turn=letters[seen.turn],
        to_act=[] if is_over else [letters[seat] for seat in seen.to_act],
        quiet=seen.quiet,
        board=board_text(rules, seen),
        pieces=[
            Piece(
                square=square,
                seat=letters[piece.seat],
                rank=piece.rank,
                mark=rules.mark_sign if piece.marks else "",
            )
            for square in rules.board.names
            if (piece := seen.pieces.get(square)) is not None
        ],
        fallen={letters[seat]: [rank or UNKNOWN for rank in seen.fallen[seat]] for seat in Seat},
        hand=_ranks(None if own is None else seen.hand[own]),
        aside=_ranks(None if own is None else seen.aside[own]),
        legal=sorted(write_move(rules, move) for move in seen.moves) if view.may_move else [],
        blowable=[str(note.values["point"]) for note in seen.notes if "point" in note.values],
    )


def _ranks(ranks: tuple[Rank, ...] | None) -> list[str] | None:
    return None if ranks is None else list(ranks)
