"""Notation: reads and writes moves, set-ups and positions as text.

Output is canonical. Input may be spelled differently as long as only one legal move fits it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.core.basics.moves import Attack, Capture, Charge, Huff, Move, Setup, Walk
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.refusals import (
    AmbiguousMove,
    BadPosition,
    BadSetup,
    UnreadableMove,
    gettext_noop,
)
from games.rules.core.basics.row_text import WATER
from games.rules.core.engine import check_turn
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Path, Ruleset
from games.rules.core.state.events import Clashed, Sighting, Volleyed
from games.rules.core.state.position import NO_SHUTTLES, Phase, Position
from games.rules.core.text.position_fields import (
    NOTHING,
    OVER,
    SHUTTLE,
    read_board,
    read_number,
    read_outcome,
    read_shuttles,
    write_board,
    write_outcome,
    write_shuttles,
)
from lib.spelling import moves as spelled_moves

LONGEST_MOVE_CHARACTERS = 300
LONGEST_POSITION_CHARACTERS = 4_000
SETUP = "setup"

SQUARE = "[a-w][0-9]{1,2}"  # x separates two squares
MOVE = re.compile(rf"(?:\*({SQUARE}),?)?((?:{SQUARE}[-x>]*)*)")
BATTLE = re.compile(r"\[([^\[\]v]+)v([^\[\]v]+)\](\+d|-d|\+|-|=|#)")
REMARK = re.compile(rf"\[[^\[\]]*\](?:[+-]d|[-+=#])?|~{SQUARE}!?")
HIT = re.compile(rf"~({SQUARE})(!?)")


# --- moves


def write_move(rules: Ruleset, move: Move) -> str:
    """The canonical text of a move; for a set-up its set-up text."""
    names = rules.board.names
    match move:
        case Walk(source, target):
            return f"{names[source]}-{names[target]}"
        case Attack(source, target):
            return f"{names[source]}x{names[target]}"
        case Charge(source, via, target):
            return f"{names[source]}-{names[via]}x{names[target]}"
        case Capture(points):
            return "x".join(names[point] for point in points)
        case Huff(point, then):
            return f"*{names[point]}" + (f",{write_move(rules, then)}" if then else "")
        case Setup():
            return write_setup(rules, move)
    raise TypeError(f"{type(move).__name__} has no text.")


def read_move(rules: Ruleset, position: Position, seat: Seat, text: str) -> Move:
    """The legal move of a text; during the set-up, the set-up.

    Besides canonical texts it accepts blanks, capitals, `a4 a5` and `a4a5`, `-` for `x` and `x` for
    `-`, annotations from a record, which are ignored, and all spellings of lib/spelling/moves.py.

    Raises NotYourTurn, UnreadableMove, AmbiguousMove, BadSetup, or IllegalMove with the reason.
    """
    check_turn(position, seat)
    if position.phase is Phase.SETUP:
        return read_setup(rules, seat, text)
    path = read_path(rules, text)
    candidates = rules.interpret(position, seat, path)
    if not candidates:
        raise UnreadableMove(
            gettext_noop("“%(text)s” is not a move of this game."), text=text.strip()[:40]
        )
    legal = [move for move in candidates if rules.is_legal(position, seat, move)]
    if not legal:
        raise rules.explain(position, seat, candidates[0])
    if len(legal) > 1:
        raise AmbiguousMove(
            gettext_noop("“%(text)s” could mean %(moves)s; please write one of these."),
            text=text.strip()[:40],
            moves=", ".join(sorted(write_move(rules, move) for move in legal)),
        )
    return legal[0]


def plain_text(text: str) -> str:
    """A move's text with the signs of records, without blanks, capitals and annotations."""
    plain = "".join(REMARK.sub("", text.strip().lower()).split())
    if MOVE.fullmatch(plain) and plain.isascii():
        return plain
    spelled = spelled_moves.read_with_marks(text)
    return spelled.record_text if spelled else plain


def claims_capture(text: str) -> bool:
    """Whether a move's text has a sign or word for an attack."""
    return "x" in plain_text(text)


def read_path(rules: Ruleset, text: str) -> Path:
    """The squares that a move's text names; raises UnreadableMove."""
    plain = plain_text(text) if len(text) <= LONGEST_MOVE_CHARACTERS else ""
    match = MOVE.fullmatch(plain)
    if not match or not plain:
        raise UnreadableMove(
            gettext_noop(
                "“%(text)s” is not a move. Write its squares, for example a4-a5, or a4xa5 for "
                "an attack."
            ),
            text=text.strip()[:40],
        )
    huffed, squares = match.group(1), re.findall(SQUARE, match.group(2))
    for square in (huffed, *squares):
        if square and square not in rules.board.index:
            raise UnreadableMove(
                gettext_noop("There is no square %(square)s on this board."), square=square
            )
    index = rules.board.index
    return Path(tuple(index[square] for square in squares), index[huffed] if huffed else None)


# --- annotations


@dataclass(frozen=True, slots=True)
class Annotated:
    """The parts of an annotated move. Squares and ranks are names.

    `via` is the square from which a charge attacks, `path` all squares of the move, `huffed` the
    point of a huffed officer. `battle` is the attacker's and the defender's rank, `result` one of
    `+` `-` `=` `#` `+d` `-d`. `volley` pairs each square hit with whether its piece was removed.
    """

    text: str
    source: str | None
    target: str | None
    via: str | None
    path: tuple[str, ...]
    huffed: str | None
    attack: bool
    battle: tuple[Rank, Rank] | None
    result: str | None
    volley: tuple[tuple[str, bool], ...]


def annotate(rules: Ruleset, move: Move, sightings: Iterable[Sighting]) -> str:
    """A move's text with its annotations: `a4xa9[RvK]-`, `g6-d6 ~d6`."""
    return write_move(rules, move) + remarks(sightings)


def remarks(sightings: Iterable[Sighting]) -> str:
    """The annotations of a turn: battles, and volleys with a blank before each hit."""
    parts = []
    for sighting in sightings:
        if isinstance(sighting, Clashed):
            parts.append(f"[{sighting.attacker}v{sighting.defender}]{sighting.result}")
        elif isinstance(sighting, Volleyed):
            parts += [f" ~{square}{'!' * removed}" for square, removed in sighting.hits]
    return "".join(parts)


def read_annotated(rules: Ruleset, text: str) -> Annotated:
    """The parts of an annotated move; raises UnreadableMove. Needs no position."""
    path = read_path(rules, text)
    battle = BATTLE.search(text)
    names = rules.board.names
    squares = tuple(names[cell] for cell in path.squares)
    plain = plain_text(text)
    charge = len(squares) == 3 and "-" in plain and "x" in plain and path.huffed is None
    return Annotated(
        text=plain,
        source=squares[0] if squares else None,
        target=squares[-1] if squares else None,
        via=squares[1] if charge else None,
        path=squares,
        huffed=None if path.huffed is None else names[path.huffed],
        attack="x" in plain,
        battle=(battle.group(1), battle.group(2)) if battle else None,
        result=battle.group(3) if battle else None,
        volley=tuple((hit.group(1), bool(hit.group(2))) for hit in HIT.finditer(text)),
    )


# --- set-ups


def read_setup(rules: Ruleset, seat: Seat, text: str) -> Setup:
    """The set-up of a text; raises BadSetup with all faults."""
    setup, faults = rules.parse_setup(seat, text)
    if faults := faults or rules.setup_faults(setup):
        raise BadSetup.combined(faults)
    return setup


def write_setup(rules: Ruleset, setup: Setup) -> str:
    """The canonical text of a set-up: the owner's rows, highest first, in capitals."""
    return rules.setup_text(setup)


# --- positions


def write_position(rules: Ruleset, position: Position) -> str:
    """A position as one line: `board turn quiet ply`, then further fields if the game needs them.

    Before the set-ups are complete it is `setup` and the two set-up texts, `-` for a missing one.
    This is the storage format: read_position(write_position(p)) == p.
    """
    if position.awaited:
        setups = [
            NOTHING
            if seat in position.awaited or seat not in rules.seats_setting_up
            else write_setup(rules, _placed(rules, seat, position))
            for seat in Seat
        ]
        return " ".join([SETUP, *setups, *rules.memory.write(position)])
    texts, cells = rules.texts, position.cells
    fields = [
        write_board(rules, lambda cell: texts[cells[cell]]),
        rules.seat_letters[position.turn],
        str(position.quiet),
        str(position.ply),
        *rules.memory.write(position),
    ]
    if position.shuttles != NO_SHUTTLES:
        fields.append(write_shuttles(rules, position))
    if position.outcome:
        fields.append(write_outcome(rules, position.outcome))
    return " ".join(fields)


def read_position(rules: Ruleset, text: str) -> Position:
    """The position of a text, reachable or not; raises BadPosition.

    Fields after the ply number may be missing; they default to their values at the start.
    """
    fields = text[:LONGEST_POSITION_CHARACTERS].split()
    if len(text) > LONGEST_POSITION_CHARACTERS or len(fields) < 3:
        raise BadPosition(
            gettext_noop("A position is a board, the side to move, and two counters.")
        )
    if fields[0] == SETUP:
        return _read_setup_phase(rules, fields)
    if len(fields) < 4 or fields[1] not in rules.seat_letters:
        raise BadPosition(
            gettext_noop(
                "After the board a position names the side to move, %(one)s or %(other)s,"
                " and two counters."
            ),
            one=rules.seat_letters[Seat.SOUTH],
            other=rules.seat_letters[Seat.NORTH],
        )
    memory = []
    shuttles, outcome = NO_SHUTTLES, None
    for field in fields[4:]:
        if field.startswith(SHUTTLE):
            shuttles = read_shuttles(rules, field)
        elif field.startswith(OVER):
            outcome = read_outcome(rules, field)
        else:
            memory.append(field)
    return Position(
        cells=read_board(rules, fields[0]),
        turn=Seat(rules.seat_letters.index(fields[1])),
        quiet=read_number(fields[2]),
        ply=read_number(fields[3]),
        shuttles=shuttles,
        memory=rules.memory.read(memory),
        outcome=outcome,
    )


def _read_setup_phase(rules: Ruleset, fields: list[str]) -> Position:
    position = rules.start(None)._replace(memory=rules.memory.read(fields[3:]))
    for seat, text in zip(Seat, fields[1:3], strict=True):
        if text == NOTHING:
            continue
        try:
            position = rules.deploy(position, read_setup(rules, seat, text))
        except BadSetup as error:
            raise BadPosition(error.template, **error.values) from error
    return position


def _placed(rules: Ruleset, seat: Seat, position: Position) -> Setup:
    """The set-up that a seat has made, taken from a position in Phase.SETUP."""
    cells = bytearray(rules.board.size)
    for square in rules.zone(seat):
        cell = rules.board.index[square]
        cells[cell] = position.cells[cell]
    return Setup(seat, bytes(cells))


def board_text(rules: Ruleset, observation: Observation) -> str:
    """The board text of an observation, with `?` for unknown ranks."""

    def text(cell: int) -> str:
        name = rules.board.names[cell]
        if not rules.board.playable(name):
            return WATER
        seen = observation.pieces.get(name)
        return rules.face(seen.seat, seen.rank, bool(seen.marks)) if seen else ""

    return write_board(rules, text)
