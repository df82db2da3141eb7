"""Set-up blocks: the rows of a set-up on lines that follow each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.set_up_rows import (
    PLACES,
    Row,
    has_letters,
    is_empty,
    is_filled,
    is_short_row,
    is_tiles,
    is_whole,
    read_files,
    read_row,
)
from games.mail.reading.grammar.vocabulary import Vocabulary

MIN_FILLED_ROWS = 2


@dataclass
class _Run:
    """Rows with nothing but blank lines between them."""

    rows: list[Row] = field(default_factory=list)
    files: str = ""
    line: int = 0
    has_short_rows: bool = False  # as boards have on which nobody sets up by rows


def read_blocks(
    lines: Sequence[str | None], known: Vocabulary, *, quoted: bool = False
) -> list[Command]:
    """The set-ups that some lines hold; None is a line that stands for something else."""
    commands = (_set_up(run, known, quoted=quoted) for run in _runs(lines, known, quoted=quoted))
    return [command for command in commands if command]


def _runs(lines: Sequence[str | None], known: Vocabulary, *, quoted: bool) -> Iterable[_Run]:
    run = _Run()
    for number, text in enumerate(lines):
        if text is not None and not text.strip(" \t\xa0>"):
            continue
        files = read_files(text, known, quoted=quoted) if text else ""
        row = read_row(text, known, quoted=quoted) if text and not files else None
        if text and is_short_row(text, known, quoted=quoted):
            run.has_short_rows = True
        elif files:
            run.files = run.files or files
        elif row:
            run.line = run.line if run.rows else number
            run.rows.append(row)
        elif run.rows or run.files or run.has_short_rows:
            yield run
            run = _Run()
    yield run


def _set_up(run: _Run, known: Vocabulary, *, quoted: bool) -> Command | None:
    if run.has_short_rows:
        return None
    for place in PLACES:
        rows = run.rows
        numbers = tuple(row.numbers(place) for row in rows) if place != "none" else ()
        if place != "none" and not _are_rows_of_a_board(numbers):
            continue
        contents = [row.cells(place) for row in rows]
        if place != "none" and all(is_whole(row.cells("none"), known) for row in rows):
            continue  # The pieces at the edge are figures, and happen to follow each other.
        if all(map(is_empty, contents)):
            return None
        if quoted and len(rows) > known.heights[-1]:
            # A whole board was drawn, and the empty rows of its owner were filled in.
            kept = [number for number, cells in enumerate(contents) if is_filled(cells, known)]
            contents = [contents[number] for number in kept]
            numbers = tuple(numbers[number] for number in kept) if numbers else ()
        if len(contents) not in known.heights:
            continue
        filled = [is_filled(cells, known) for cells in contents]
        if sum(filled) < max(MIN_FILLED_ROWS, len(contents) - 2):
            continue
        tiled = all(is_tiles(cells, known) for cells in contents)
        if not any(map(has_letters, contents)) and not tiled:
            continue
        if not all(
            is_row or is_empty(cells) or _is_nearly(cells)
            for is_row, cells in zip(filled, contents, strict=True)
        ):
            continue
        return Command(
            Verb.SETUP,
            rows=tuple(contents),
            drawn=True,
            row_numbers=tuple(number for number in numbers if number is not None),
            files=run.files,
            quoted=quoted,
            line=run.line,
        )
    return None


def _are_rows_of_a_board(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers are consecutive, in whatever order."""
    given = [number for number in numbers if number is not None]
    return len(given) == len(numbers) == len(set(given)) and bool(
        given and max(given) - min(given) == len(given) - 1
    )


def _is_nearly(cells: str) -> bool:
    """Whether a row holds a sign or two that are no pieces, of which the rules will tell."""
    return cells.isalnum() or all(cell.isalnum() or is_empty(cell) for cell in cells)
