"""Proof lines in a message: receipts, bundles and signed heads, which are never read as commands.

A mail program may have wrapped them anywhere, so that a part looks like a set-up or a move.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

MARKS = re.compile(r"(?:\s{0,4}[A-Za-z]{0,3}>)*\s*")  # of a quotation
# A line may end within a word, and there may be a blank line behind each.
BREAK = "\n{0,2}"
GAP = "[ \n]{1,3}"
NUMBER = f"[0-9](?:{BREAK}[0-9]){{0,17}}"
RANKS = f"(?:{GAP}[0-9A-Z-]{{1,2}}'?(?![^ \n]))*"
# What a player typed for a deal has up to 100 characters.
WORDS = rf"(?:{GAP}words(?:.|\n){{0,160}}[ \n]end(?![^\n]))?"


def _word(text: str) -> str:
    """A pattern for a word that may be wrapped within."""
    return BREAK.join(map(re.escape, text))


def _digits(count: int) -> str:
    return f"[0-9a-f](?:{BREAK}[0-9a-f]){{{count - 1}}}"


HEAD = GAP.join((_word("head"), _word("estafette/head/1"), NUMBER, NUMBER, _digits(64)))
SIGN = f"{_word('sign')}{GAP}{_digits(128)}"
SEAL = f"{_word('seal')}{GAP}[NS]{GAP}{_digits(64)}{RANKS}{WORDS}"
PART = re.compile(f"(?<![^ \n])(?:{HEAD}|{SIGN}|{SEAL})")
BUNDLE = re.compile(f"(?<![^ \n]){_word('estafette/proof/1')}{GAP}{NUMBER}")
BUNDLE_END = re.compile("\nend(?![^\n])")


def proof_lines(lines: Sequence[str]) -> set[int]:
    """The indexes of the lines that belong to proof lines, quoted or not, wrapped or not."""
    starts, bare, place = [], [], 0
    for line in lines:
        starts.append(place)
        bare.append(MARKS.sub("", line, count=1).rstrip())
        place += len(bare[-1]) + 1
    text = "\n".join(bare)
    spans = [part.span() for part in PART.finditer(text)]
    if bundle := BUNDLE.search(text):
        end = BUNDLE_END.search(text, bundle.end())
        spans.append((bundle.start(), end.end() if end else len(text)))
    return {
        number
        for first, end in spans
        for number in range(bisect_right(starts, first) - 1, bisect_right(starts, end - 1))
    }
