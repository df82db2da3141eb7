"""Fields of the position text: board, counters, repetitions and outcome."""

from collections.abc import Callable

from games.rules.core.basics.board import VOID
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import BadPosition, gettext_noop
from games.rules.core.basics.row_text import UnreadableRow, write_row
from games.rules.core.basics.termination import OffBoardTermination
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import STILL, Outcome, Position, Shuttle

NOTHING = "-"
SHUTTLE = "shuttle="
OVER = "over="


def write_board(rules: Ruleset, text: Callable[[int], str]) -> str:
    """The board field, highest row first; `text` returns the text of a cell."""
    return "/".join(
        write_row(text(cell) for cell in rules.board.row(row))
        for row in range(rules.board.ranks, 0, -1)
    )


def write_shuttles(rules: Ruleset, position: Position) -> str:
    """The repetitions of both sides: `shuttle=a4a5:2/-` (C9)."""
    return SHUTTLE + "/".join(_write_shuttle(rules, position.shuttles[seat]) for seat in Seat)


def write_outcome(rules: Ruleset, outcome: Outcome) -> str:
    """The outcome: `over=S:flag_captured`."""
    result = "draw" if outcome.winner is None else rules.seat_letters[outcome.winner]
    return f"{OVER}{result}:{outcome.reason.replace(' ', '_')}"


def _write_shuttle(rules: Ruleset, shuttle: Shuttle) -> str:
    if not shuttle.times:
        return NOTHING
    names = rules.board.names
    return f"{names[shuttle.low]}{names[shuttle.high]}:{shuttle.times}"


def read_board(rules: Ruleset, text: str) -> bytes:
    """The cells of a board field; raises BadPosition."""
    board = rules.board
    blank = board.blank
    cells = bytearray(blank)
    rows = text.split("/")
    if len(rows) != board.ranks:
        raise BadPosition(
            gettext_noop("The board has %(wanted)s rows, and the text has %(count)s."),
            wanted=board.ranks,
            count=len(rows),
        )
    for number, row in zip(range(board.ranks, 0, -1), rows, strict=True):
        try:
            contents = rules.rows.read(row)
        except UnreadableRow as error:
            raise BadPosition(
                gettext_noop("Row %(row)s cannot be read from “%(text)s” on."),
                row=number,
                text=str(error),
            ) from error
        if len(contents) != board.files:
            raise BadPosition(
                gettext_noop("Row %(row)s has %(count)s squares, and it should have %(wanted)s."),
                row=number,
                count=len(contents),
                wanted=board.files,
            )
        for cell, content in zip(board.row(number), contents, strict=True):
            if (content == VOID) != (blank[cell] == VOID):
                raise BadPosition(
                    gettext_noop("In row %(row)s the square %(square)s does not fit this board."),
                    row=number,
                    square=board.names[cell],
                )
            cells[cell] = content
    return bytes(cells)


def read_number(text: str) -> int:
    """A counter of at most nine digits; raises BadPosition."""
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    raise BadPosition(gettext_noop("“%(text)s” is not a counter."), text=text[:20])


def read_shuttles(rules: Ruleset, field: str) -> BySeat[Shuttle]:
    """The repetitions of both sides; raises BadPosition."""
    parts = field.removeprefix(SHUTTLE).split("/")
    if len(parts) != 2:
        raise bad_field(field)
    return BySeat(_read_shuttle(rules, parts[0], field), _read_shuttle(rules, parts[1], field))


def _read_shuttle(rules: Ruleset, text: str, field: str) -> Shuttle:
    if text == NOTHING:
        return STILL
    squares, _, times = text.partition(":")
    index = rules.board.index
    # A square's name has two or three characters, so a pair can be split in two ways only.
    for cut in (2, 3):
        low, high = squares[:cut], squares[cut:]
        if low in index and high in index and index[low] < index[high]:
            return Shuttle(index[low], index[high], read_number(times))
    raise bad_field(field)


def read_outcome(rules: Ruleset, field: str) -> Outcome:
    """The outcome; raises BadPosition, also for an ending of another game."""
    result, _, written = field.removeprefix(OVER).partition(":")
    phrase = written.replace("_", " ")
    for reason in (*rules.terminations, *OffBoardTermination):
        if reason == phrase and result in (*rules.seat_letters, "draw"):
            winner = None if result == "draw" else Seat(rules.seat_letters.index(result))
            return Outcome(winner, reason)
    raise bad_field(field)


def bad_field(field: str) -> BadPosition:
    """The refusal of an unknown field."""
    return BadPosition(
        gettext_noop("“%(field)s” is not part of a position of this game."), field=field[:20]
    )
