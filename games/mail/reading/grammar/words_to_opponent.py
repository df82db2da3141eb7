"""Words to the opponent, after "say": where they begin and end in a message.

They are passed on as they were written, up to a blank line, a command or a quotation. So a line
that is a row of a board, or that introduces a quotation, ends them too: a quotation without marks
must never reach the opponent, since it shows the writer's own pieces.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from games.mail.reading.grammar.command_words import SAY_WORDS
from games.mail.reading.grammar.line_cleaning import MAX_LINE_CHARACTERS, normalize
from games.mail.reading.grammar.set_up_rows import (
    PLACES,
    is_filled,
    is_short_row,
    read_files,
    read_row,
)
from games.mail.reading.grammar.vocabulary import Vocabulary
from lib.spelling.moves import any_of

# Between two lines of the words: a break that was written, or one where a program wrapped a line.
BREAK, WRAPPED = "\n", "\r"
SHORT_CHARACTERS = 2  # of most cells of a board
NEAR_LINES = 3  # an introduction of a quotation, "On Monday, ... wrote:", has at most so many

BEGIN = re.compile(rf"{any_of(SAY_WORDS)}[\s:：]{{1,4}}", re.IGNORECASE)
ADDRESS = re.compile(r"<[^<>\s@]{1,100}@")
YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")


def written_words(line: str, argument: str) -> str:
    """The words in a line as they were written; `argument` is what the command was read as."""
    begin = BEGIN.search(line)
    words = line[begin.end() :].strip() if begin else ""
    return words if normalize(words, MAX_LINE_CHARACTERS) == argument else argument


def ends_words(lines: Sequence[str | None], number: int, vocabulary: Vocabulary) -> bool:
    """Whether a line is not part of the words to the opponent in the lines above it."""
    line = lines[number]
    if line is None or not line.strip() or _is_drawn(line, vocabulary):
        return True
    return _introduces_quotation(lines, number)


def _is_drawn(line: str, vocabulary: Vocabulary) -> bool:
    """Whether a line is a row of a board or of a set-up, or the letters of its files."""
    if read_files(line, vocabulary, quoted=False) or is_short_row(line, vocabulary, quoted=False):
        return True
    row = read_row(line, vocabulary, quoted=False)
    if row is None:
        return False
    if len(row.words) == 1:
        return any(is_filled(row.cells(place), vocabulary) for place in PLACES)
    short = sum(len(word) <= SHORT_CHARACTERS for word in row.words)
    return 2 * short >= len(row.words)


def _introduces_quotation(lines: Sequence[str | None], number: int) -> bool:
    """Whether a line is the beginning or the end of "On Monday, Estafette <...> wrote:"."""
    line = lines[number] or ""
    if ADDRESS.search(line[:400]):
        return True
    near = [
        *takewhile(lambda text: bool(text and text.strip()), lines[number : number + NEAR_LINES])
    ]
    after = number + len(near)
    is_quoted = after < len(lines) and lines[after] is None
    ends = bool(near and (near[-1] or "").rstrip().endswith((":", "：")))
    if not (is_quoted and ends):
        return False
    return len(near) == 1 or bool(YEAR.search(line[:400]))
