"""What a player could know of a piece at a ply of an open match, on request.

Made as on the match page of that time: by a tracker over the player's first board and the public
texts up to that ply. Nobody's notebook is read.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.play.knowledge import piece_sentences
from games.play.models.kind import PlyKind
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.words.narration import piece_name
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.knowledge.dossier import dossier, present_ranks
from games.rules.core.knowledge.piece_tracker import Tracker

BY_NAME = {"south": Seat.SOUTH, "north": Seat.NORTH}


class PieceDossier(NamedTuple):
    """A piece as it was and as a player could know it; with `fault`, why there is none."""

    square: str
    player: str = ""
    was: str = ""
    is_own: bool = False
    possible: str = ""
    is_known: bool = False
    reasons: tuple[str, ...] = ()
    fights: tuple[str, ...] = ()
    path: str = ""  # "" if it has not moved
    fault: str = ""


def look_up(view: MatchView, square: str, who: str) -> PieceDossier | None:
    """What a player could know of the piece on a square at the ply that the view shows.

    `who` is "south" or "north"; for anything else the side against which the piece stands. None
    until the match is open. Six queries, however long the match.
    """
    match, rules = view.match, view.rules
    if not match.is_open(view.now) or not rules.hidden or view.opening is None:
        return None
    if square not in rules.board.index:
        words = _("There is no square “%(square)s” on this board.")
        return PieceDossier(square[:4], fault=words % {"square": square[:4]})
    truth = match_view.view_match(match.pk, None, ply=view.number, viewpoint=Viewpoint.OPEN)
    piece = truth.observation.pieces.get(square)
    if piece is None:
        words = _("There was no piece on %(square)s then.")
        return PieceDossier(square, fault=words % {"square": square})
    seat = BY_NAME.get(who, piece.seat.other)
    was = piece_name(rules, piece.rank or "") if piece.rank else ""
    if piece.seat is seat:
        return PieceDossier(square, view.sides[seat], was, is_own=True)
    seen = match_view.view_match(match.pk, None, ply=view.number, viewpoint=Viewpoint.of_seat(seat))
    first, text = match_view.opening_board(seen)
    tracker = Tracker.begin(rules, first, text)
    for entry in match_view.entries(match, view.opening + 1, view.number):
        if entry.kind == PlyKind.MOVE and entry.seat is not None:
            tracker.add_turn(entry.seat, entry.text)
    one = dossier(tracker, seen.observation).enemies()[square]
    known = piece_sentences.known_name(rules, one, one.rank)
    return PieceDossier(
        square,
        view.sides[seat],
        was,
        possible=known or piece_sentences.names(rules, present_ranks(rules, one)),
        is_known=one.rank is not None,
        reasons=tuple(piece_sentences.reasons(rules, one)),
        fights=tuple(piece_sentences.fights(rules, one)),
        path=piece_sentences.path(rules, one) if one.moved else "",
    )
