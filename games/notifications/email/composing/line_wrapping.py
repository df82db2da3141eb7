"""Line wrapping of plain-text e-mails, by the columns that characters take up on a screen.

A wrapped sentence may leave words on a line that read as a command. In answers, a line after a long
line is never read as a command, so wrapped lines are that long. They are shorter than the width at
which mail programs wrap, so that quoting does not wrap them again.
"""

import re

from lib.spelling.columns import columns, columns_of_sign

COLUMNS = 68
WIDEST_COLUMNS = 72  # if a long word would otherwise leave a line short
LONG_COLUMNS = 60  # a line after a longer one is read as prose
SHORTEST_COLUMNS = 12  # of the last line in wide characters, whose lines are never long by count

ATOMS = re.compile(r"\S+\s*|\s+")  # of ASCII
INDENT = re.compile(r" *(?:\* )?")
NEVER_FIRST = frozenset("。，、；：！？）」』》”’")
NEVER_LAST = frozenset("（「『《“‘")
# Lines of Chinese break between any two signs.
LONG_WORD = re.compile(r"[^\s\u2e80-\uffef]{30}(?=[^\s\u2e80-\uffef])")
NO_BREAK = frozenset("\u00a0\u202f")  # French has such a blank inside its quotation marks


def with_short_words(words: str) -> str:
    """Words that somebody has written, with the long ones split.

    A long word could push the next one onto its own line, where it might be read as a command.
    """
    return LONG_WORD.sub(r"\g<0> ", words)


def wrapped(text: str) -> str:
    """The text with all long lines wrapped; longer words, such as URLs, are not broken."""
    return "\n".join(part for line in text.split("\n") for part in _wrap(line))


def _wrap(line: str) -> list[str]:
    if columns(line) <= COLUMNS:
        return [line]
    match = INDENT.match(line)
    first = match[0] if match else ""
    rest, lines = _atoms(line[len(first) :]), []
    indent = first
    while rest:
        count = _fitting(rest, COLUMNS - columns(indent))
        lines.append(indent + "".join(rest[:count]).rstrip())
        rest, indent = rest[count:], " " * len(first)
    return lines


def _fitting(atoms: list[str], room: int) -> int:
    """The number of atoms that fit on a line of `room` columns; at least one."""
    taken = count = 0
    for atom in atoms:
        width = taken + columns(atom.rstrip())
        spare = WIDEST_COLUMNS - COLUMNS if taken <= LONG_COLUMNS else 0
        if count and width > room + spare:
            break
        taken += columns(atom)
        count += 1
    rest = "".join(atoms[count:])
    if not rest.isascii() and any(columns_of_sign(sign) > 1 for sign in rest):
        while count > 1 and sum(map(columns, atoms[count:])) < SHORTEST_COLUMNS:
            count -= 1
    return count


def _atoms(line: str) -> list[str]:
    """The unbreakable parts of a line, each with the blanks after it."""
    if line.isascii():
        return ATOMS.findall(line)
    atoms: list[str] = []
    for sign in line:
        last = atoms[-1] if atoms else ""
        joined = last and not _is_blank(last[-1]) and not _may_break(last[-1], sign)
        if last and (joined or _is_blank(sign)):
            atoms[-1] += sign
        else:
            atoms.append(sign)
    return atoms


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two adjacent characters."""
    if (before.isascii() and after.isascii()) or before in NO_BREAK or after in NO_BREAK:
        return False
    wide = columns_of_sign(before) > 1 or columns_of_sign(after) > 1
    return wide and after not in NEVER_FIRST and before not in NEVER_LAST


def _is_blank(sign: str) -> bool:
    """Whether a line may break after this character because it is a blank."""
    return sign.isspace() and sign not in NO_BREAK
