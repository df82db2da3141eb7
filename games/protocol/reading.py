"""Reading: a line of the protocol becomes an observation with the actions that its seat heard."""

from functools import lru_cache
from typing import Any

from games.protocol.lines import EVERYBODY, UNKNOWN, Heard, Line, Told
from games.rules import registry
from games.rules.core.basics.board import EMPTY, VOID
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.row_text import RowReader
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, SeenPiece
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Phase


def read_line(line: Line) -> Told:
    """The parts of a line that asks for a set-up or a move."""
    rules = registry.ruleset(line["preset"], line.get("switches") or {})
    seat = _seat(rules, line["seat"])
    return Told(
        ask=line["ask"],
        rules=rules,
        seat=seat,
        observation=_observation(rules, seat, line),
        heard=tuple(
            Heard(None if who == EVERYBODY else _seat(rules, who), text)
            for who, text in line.get("heard") or ()
        ),
        legal=tuple(line.get("legal") or ()),
    )


def _seat(rules: Ruleset, letter: str) -> Seat:
    return Seat(rules.seat_letters.index(letter))


def _own(seat: Seat, value: Any) -> BySeat[tuple[Rank, ...] | None]:
    nobody: BySeat[tuple[Rank, ...] | None] = BySeat(None, None)
    return nobody.put(seat, tuple(value or ()))


def _observation(rules: Ruleset, seat: Seat, line: Line) -> Observation:
    to_act = tuple(_seat(rules, letter) for letter in line.get("to_act") or ())
    fallen = line.get("fallen") or {}
    south, north = (
        tuple(None if rank == UNKNOWN else rank for rank in fallen.get(letter, ()))
        for letter in rules.seat_letters
    )
    return Observation(
        viewpoint=Viewpoint.of(seat),
        board=rules.board,
        phase=Phase(line.get("phase", Phase.PLAY)),
        to_act=to_act,
        turn=_seat(rules, line["turn"]) if line.get("turn") else seat,
        pieces=read_board(rules, seat, line["board"]) if line.get("board") else {},
        hand=_own(seat, line.get("hand")),
        aside=_own(seat, line.get("aside")),
        fallen=BySeat(south, north),
        moves=(),
        notes=tuple(Sentence("", {"point": point}) for point in line.get("blowable") or ()),
        outcome=None,
        quiet=line.get("quiet", 0),
        ply=line.get("ply", 0),
    )


def read_board(rules: Ruleset, viewer: Seat, text: str) -> dict[str, SeenPiece]:
    """The pieces of a board text as a player has it, by square; the reverse of `board_text`."""
    reader, seen = _reader(rules, viewer)
    pieces = {}
    for row, part in zip(range(rules.board.ranks, 0, -1), text.split("/"), strict=True):
        contents = reader.read(part)
        for cell, content in zip(rules.board.row(row), contents, strict=True):
            if content not in (EMPTY, VOID):
                pieces[rules.board.names[cell]] = seen[content]
    return pieces


@lru_cache(maxsize=64)
def _reader(rules: Ruleset, viewer: Seat) -> tuple[RowReader, dict[int, SeenPiece]]:
    """A reader of board rows as a player has them, and what each of its contents looks like.

    The sign of an unknown piece may be the same for both sides; it is never the player's own.
    """
    seen: dict[int, SeenPiece] = {}
    faces: dict[str, int] = {}
    for seat in Seat:
        for rank in (*rules.kinds, *((None,) if seat is not viewer else ())):
            for marked in (False, True) if rules.mark else (False,):
                marks = frozenset((rules.mark,)) if marked else frozenset()
                content = 256 + len(seen)
                faces.setdefault(rules.face(seat, rank, marked), content)
                seen[content] = SeenPiece(seat, rank, marks)
    return RowReader(faces), seen
