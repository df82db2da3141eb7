"""Panel next to the board: what is known of one piece, and which pieces are still in play."""

from collections import defaultdict
from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.play.knowledge import marks, piece_sentences
from games.play.knowledge.marks import COLOURS, Mark
from games.play.knowledge.memory import Known
from games.play.record.match_view import MatchView
from games.play.words.narration import piece_name
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.knowledge.dossier import Count, Dossier, present_ranks
from games.rules.core.ruleset.base import Ruleset


class Piece(NamedTuple):
    """The panel's texts about one piece of the opponent, and the reader's mark on it."""

    square: str
    start: str  # where it began, which is the key of its mark
    possible: str  # the ranks that it may have; "" if nothing is hidden
    is_known: bool
    reasons: list[str]
    path: str
    has_moved: bool
    moves: int
    squares: int  # the number of squares that it has moved
    fights: list[str]
    mark: Mark
    guesses: list[tuple[str, str]]
    colours: list[tuple[str, str]]


class Line(NamedTuple):
    """A kind of piece: how many are still in play, and the squares of the known ones."""

    name: str
    theirs: str
    seen: str
    own: str


class Tiles(NamedTuple):
    """The tiles that one side may still have, with the sum of their pips."""

    side: str
    names: str
    pips: int


class Panel(NamedTuple):
    """All texts about what the reader knows. `piece` is the one that the reader has chosen."""

    piece: Piece | None
    lines: list[Line]
    tiles: list[Tiles]
    threatened: str
    unnamed: int  # captured pieces of the opponent whose rank was never revealed
    note: str
    note_version: str  # of the stored note, even if the field has another text
    may_mark: bool

    @property
    def rows(self) -> SafeString:
        """The lines as rows of a table; a template's loop over them takes many times as long."""
        rows = (
            f'<tr><th scope="row">{escape(line.name)}</th><td>{escape(line.theirs)}'
            + (f' <span class="small">{escape(line.seen)}</span>' if line.seen else "")
            + f"</td><td>{escape(line.own)}</td></tr>"
            for line in self.lines
            if line.theirs or line.own
        )
        return mark_safe("".join(rows))  # noqa: S308 - joined from escaped parts


def panel(view: MatchView, known: Known, chosen: str) -> Panel:
    """The panel of a match page; `chosen` is the square of the chosen piece."""
    pieces, aid = known.dossier, view.match.memory_aid
    if pieces is None:
        return Panel(None, [], [], "", 0, known.note, known.note_version, may_mark=False)
    tiles = presentation_of(view.rules.family).tiles
    return Panel(
        piece=_piece(view, pieces, known, chosen),
        lines=_lines(view.rules, pieces) if aid and not tiles else [],
        tiles=_tiles(view, pieces) if aid and tiles else [],
        threatened=", ".join(pieces.threatened) if aid else "",
        unnamed=pieces.unnamed[pieces.seat.other] if aid else 0,
        note=known.note,
        note_version=known.note_version,
        may_mark=True,
    )


def _piece(view: MatchView, pieces: Dossier, known: Known, chosen: str) -> Piece | None:
    one = pieces.enemies().get(chosen)
    if one is None:
        return None
    rules, aid = view.rules, view.match.memory_aid
    shown = rules.hidden and aid
    # Without the aid, the reader has to remember what a piece was seen to be.
    rank = one.rank if aid else view.observation.pieces[chosen].rank
    return Piece(
        square=chosen,
        start=rules.board.names[one.start],
        possible=piece_sentences.names(rules, present_ranks(rules, one))
        if shown and rank is None
        else piece_sentences.known_name(rules, one, rank),
        is_known=rank is not None,
        reasons=piece_sentences.reasons(rules, one) if shown else [],
        path=piece_sentences.path(rules, one) if aid else "",
        has_moved=one.moved,
        moves=len(one.path),
        squares=one.squares_gone(rules.board.stride),
        fights=piece_sentences.fights(rules, one) if aid else [],
        mark=marks.mark_of(known.marks, rules.board.names[one.start]),
        guesses=[(troop.rank, piece_name(rules, troop.rank)) for troop in rules.army]
        if rules.hidden
        else [],
        colours=[(colour, _(name)) for colour, name in COLOURS.items()],
    )


def _lines(rules: Ruleset, pieces: Dossier) -> list[Line]:
    """A line for each kind of piece, with the squares of the enemies that are known.

    Demoted pieces have lines of their own, after the others, if there are any.
    """
    own, theirs = (_by_rank(pieces, seat) for seat in (pieces.seat, pieces.seat.other))
    seen = defaultdict(list)
    for square, one in pieces.enemies().items():
        if rules.hidden and len(one.lines) == 1:
            seen[present_ranks(rules, one)[0]].append(square)
    ranks = [troop.rank for troop in rules.army]
    ranks += dict.fromkeys(rank for rank in (*theirs, *own) if rank not in ranks)
    return [
        Line(
            piece_name(rules, rank),
            _out(rules, rank, theirs),
            ", ".join(seen[rank]),
            _out(rules, rank, own),
        )
        for rank in ranks
    ]


def _by_rank(pieces: Dossier, seat: Seat) -> dict[Rank, Count]:
    return {count.rank: count for count in pieces.counts[seat]}


def _out(rules: Ruleset, rank: Rank, counts: Mapping[Rank, Count]) -> str:
    """How many are still in play, and of how many; no army begins with demoted ones."""
    count = counts.get(rank)
    if count is None:
        return "" if rank in rules.kinds else "0"
    return f"{count.out}/{count.raised}" if count.raised else f"{count.out}"


def _tiles(view: MatchView, pieces: Dossier) -> list[Tiles]:
    shown = []
    for seat in (pieces.seat.other, pieces.seat):
        out = [count.rank for count in pieces.counts[seat] if count.out]
        pips = sum(int(half) for rank in out for half in rank)
        shown.append(Tiles(view.sides[seat], piece_sentences.names(view.rules, out), pips))
    return shown
