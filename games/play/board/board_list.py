"""The board as a list of sentences, for proportional fonts, screen readers and braille.

It has no drawing characters. A square comes before the marks of its piece.
"""

from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _

from games.play.board.last_move import last_move
from games.play.board.orientation import axes
from games.play.record.snapshot import Snapshot
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.observation import SeenPiece
from lib.sentences import in_a_row

Standing = list[tuple[str, SeenPiece]]


def paragraphs(view: Snapshot) -> list[str]:
    """Paragraphs: own pieces by rank, the opponent's known and hidden pieces, the last move."""
    own, names = view.viewpoint.seat, [_(name) for name in view.rules.seat_names]
    if own is not None:
        names[own], names[own.other] = _("Yours"), _("Theirs")
    order = [view.near_seat, view.near_seat.other]
    sentences = [in_a_row(_side(view, seat, names[seat])) for seat in order]
    return [*sentences, *filter(None, [in_a_row(_last(view))])]


def _side(view: Snapshot, seat: Seat, whose: str) -> list[str]:
    """The sentences about the pieces of one side."""
    standing = [
        (square, piece)
        for square, piece in sorted(view.observation.pieces.items(), key=_place(view))
        if piece.seat is seat
    ]
    if not standing:
        return [_("%(whose)s: nothing on the board.") % {"whose": whose}]
    sentences = [*_known(view, standing), *_hidden(standing)]
    first = _("%(whose)s: %(count)s pieces.") % {"whose": whose, "count": len(standing)}
    return [first, *sentences]


def _known(view: Snapshot, standing: Standing) -> list[str]:
    """A sentence for each known rank, the strongest first."""
    order = {rank: place for place, rank in enumerate(view.rules.kinds)}
    by_rank: dict[Rank, Standing] = {}
    for square, piece in standing:
        if piece.rank is not None:
            by_rank.setdefault(piece.rank, []).append((square, piece))
    return [
        _("%(piece)s: %(squares)s.")
        % {"piece": _(view.rules.piece_names[rank]), "squares": _squares(by_rank[rank])}
        for rank in sorted(by_rank, key=lambda rank: order.get(rank, 0))
    ]


def _hidden(standing: Standing) -> list[str]:
    """The number of hidden pieces and their squares, row by row."""
    hidden = [(square, piece) for square, piece in standing if piece.rank is None]
    if not hidden:
        return []
    rows: dict[str, Standing] = {}
    for square, piece in hidden:
        rows.setdefault(square[1:], []).append((square[0], piece))
    sentences = [_("Hidden: %(count)s.") % {"count": len(hidden)}]
    return sentences + [
        _("Row %(row)s: %(files)s.") % {"row": row, "files": _squares(there)}
        for row, there in rows.items()
    ]


def _squares(standing: Standing) -> str:
    """Squares, each with the marks of its piece: "b3, e4 demoted"."""
    return ", ".join(
        _with_marks(square, piece.marks - {"drafted"}) if piece.marks else square
        for square, piece in standing
    )


def _with_marks(square: str, marks: Iterable[str]) -> str:
    words = {"shown": _("%(square)s face up"), "demoted": _("%(square)s demoted")}
    for mark in sorted(marks):
        square = words.get(mark, "%(square)s") % {"square": square}
    return square


def _last(view: Snapshot) -> list[str]:
    """The squares that the last move left and reached, as marked on a drawn board."""
    last, sentences = last_move(view), []
    if last.moved and last.left:
        values = {"square": last.moved, "left": last.left}
        sentences.append(_("Last: %(square)s from %(left)s.") % values)
    elif last.left:
        sentences.append(_("Last: the piece from %(left)s was captured.") % {"left": last.left})
    elif last.moved:
        words = _("Last: the piece on %(square)s attacked and stayed where it was.")
        sentences.append(words % {"square": last.moved})
    if last.fallen:
        squares = ", ".join(sorted(last.fallen))
        sentences.append(_("Pieces were captured on %(squares)s.") % {"squares": squares})
    return sentences


def _place(view: Snapshot) -> Callable[[tuple[str, SeenPiece]], tuple[int, int]]:
    """Sort key of a square: from the far edge to the reader's own, from left to right."""
    files, rows = axes(view.rules.board, view.viewpoint.seat is Seat.NORTH)
    return lambda item: (rows.index(int(item[0][1:])), files.index(item[0][0]))
