"""Reads protocol lines: JSON becomes a request with the observation of its seat."""

from functools import lru_cache
from typing import Any

from games.protocol.lines import EVERYBODY, UNKNOWN, Line, PublicAction, Request
from games.rules import registry
from games.rules.core.basics.board import EMPTY, VOID
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.row_text import RowReader
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, SeenPiece
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Phase


def read_line(line: Line) -> Request:
    """Parse any line but that of the end of a match.

    Raises UnknownRuleset, or KeyError, IndexError or ValueError where the line breaks the protocol.
    """
    rules = registry.ruleset(line["preset"], line.get("switches") or {})
    seat = _seat(rules, line["seat"])
    return Request(
        ask=line["ask"],
        rules=rules,
        seat=seat,
        observation=_observation(rules, seat, line),
        heard=tuple(
            PublicAction(None if letter == EVERYBODY else _seat(rules, letter), text)
            for letter, text in line.get("heard") or ()
        ),
        legal=tuple(line.get("legal") or ()),
    )


def _seat(rules: Ruleset, letter: str) -> Seat:
    return Seat(rules.seat_letters.index(letter))


def _only_for(seat: Seat, ranks: Any) -> BySeat[tuple[Rank, ...] | None]:
    unknown: BySeat[tuple[Rank, ...] | None] = BySeat(None, None)
    return unknown.put(seat, tuple(ranks or ()))


def _observation(rules: Ruleset, seat: Seat, line: Line) -> Observation:
    to_act = tuple(_seat(rules, letter) for letter in line.get("to_act") or ())
    fallen = line.get("fallen") or {}
    south, north = (
        tuple(None if rank == UNKNOWN else rank for rank in fallen.get(letter, ()))
        for letter in rules.seat_letters
    )
    return Observation(
        viewpoint=Viewpoint.of_seat(seat),
        board=rules.board,
        phase=Phase(line.get("phase", Phase.PLAY)),
        to_act=to_act,
        turn=_seat(rules, line["turn"]) if line.get("turn") else seat,
        pieces=read_board(rules, seat, line["board"]) if line.get("board") else {},
        hand=_only_for(seat, line.get("hand")),
        aside=_only_for(seat, line.get("aside")),
        fallen=BySeat(south, north),
        moves=(),
        notes=tuple(Sentence("", {"point": point}) for point in line.get("blowable") or ()),
        outcome=None,
        quiet=line.get("quiet", 0),
        ply=line.get("ply", 0),
    )


def read_board(rules: Ruleset, viewer: Seat, text: str) -> dict[str, SeenPiece]:
    """The pieces of a board text as `viewer` sees it, by square; the reverse of `board_text`."""
    reader, piece_by_code = _reader(rules, viewer)
    pieces = {}
    for row, part in zip(range(rules.board.ranks, 0, -1), text.split("/"), strict=True):
        codes = reader.read(part)
        for cell, code in zip(rules.board.row(row), codes, strict=True):
            if code not in (EMPTY, VOID):
                pieces[rules.board.names[cell]] = piece_by_code[code]
    return pieces


@lru_cache(maxsize=64)
def _reader(rules: Ruleset, viewer: Seat) -> tuple[RowReader, dict[int, SeenPiece]]:
    """A reader of board rows as a player sees them, and the piece that each of its codes means.

    Both sides may share the sign of an unknown piece; it is never the viewer's own.
    """
    piece_by_code: dict[int, SeenPiece] = {}
    codes: dict[str, int] = {}
    for seat in Seat:
        for rank in (*rules.kinds, *((None,) if seat is not viewer else ())):
            for marked in (False, True) if rules.mark else (False,):
                marks = frozenset((rules.mark,)) if marked else frozenset()
                code = 256 + len(piece_by_code)
                codes.setdefault(rules.face(seat, rank, marked), code)
                piece_by_code[code] = SeenPiece(seat, rank, marks)
    return RowReader(codes), piece_by_code
