"""Parses set-up blocks: the rows of a set-up on consecutive lines."""

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
    """Consecutive rows; blank lines between them do not count."""

    rows: list[Row] = field(default_factory=list)
    files: str = ""
    line: int = 0
    has_short_rows: bool = False  # on boards that are not set up by rows


def read_blocks(
    lines: Sequence[str | None], vocabulary: Vocabulary, *, quoted: bool = False
) -> list[Command]:
    """The set-ups among lines; None stands for a line that does not take part."""
    commands = (
        _set_up(run, vocabulary, quoted=quoted) for run in _runs(lines, vocabulary, quoted=quoted)
    )
    return [command for command in commands if command]


def _runs(lines: Sequence[str | None], vocabulary: Vocabulary, *, quoted: bool) -> Iterable[_Run]:
    run = _Run()
    for number, text in enumerate(lines):
        if text is not None and not text.strip(" \t\xa0>"):
            continue
        files = read_files(text, vocabulary, quoted=quoted) if text else ""
        row = read_row(text, vocabulary, quoted=quoted) if text and not files else None
        if text and is_short_row(text, vocabulary, quoted=quoted):
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


def _set_up(run: _Run, vocabulary: Vocabulary, *, quoted: bool) -> Command | None:
    if run.has_short_rows:
        return None
    for place in PLACES:
        rows = run.rows
        numbers = tuple(row.numbers(place) for row in rows) if place != "none" else ()
        if place != "none" and not _are_rows_of_a_board(numbers):
            continue
        contents = [row.cells(place) for row in rows]
        if place != "none" and all(is_whole(row.cells("none"), vocabulary) for row in rows):
            continue  # These are ranks at the edge that happen to be consecutive numbers.
        if all(map(is_empty, contents)):
            return None
        if quoted and len(rows) > vocabulary.heights[-1]:
            # The e-mail drew the whole board, and the player filled in the empty rows.
            kept = [number for number, cells in enumerate(contents) if is_filled(cells, vocabulary)]
            contents = [contents[number] for number in kept]
            numbers = tuple(numbers[number] for number in kept) if numbers else ()
        if len(contents) not in vocabulary.heights:
            continue
        filled = [is_filled(cells, vocabulary) for cells in contents]
        if sum(filled) < max(MIN_FILLED_ROWS, len(contents) - 2):
            continue
        tiled = all(is_tiles(cells, vocabulary) for cells in contents)
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
    """Whether the numbers are consecutive, in any order."""
    given = [number for number in numbers if number is not None]
    return len(given) == len(numbers) == len(set(given)) and bool(
        given and max(given) - min(given) == len(given) - 1
    )


def _is_nearly(cells: str) -> bool:
    """Whether a row may contain wrong pieces, which the rules then name."""
    return cells.isalnum() or all(cell.isalnum() or is_empty(cell) for cell in cells)
