"""Set-up aliases of L'Attaque: Gravon's letters, and the numbered ranks of the Chinese edition."""

import re
from collections.abc import Iterable

from games.rules.core.basics.board import FILE_LETTERS
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.refusals import BadSetup, gettext_noop
from games.rules.core.basics.row_text import write_row
from games.rules.core.ruleset.armies import Armies
from games.rules.core.ruleset.optional_parts import SetupAliases

# Gravon and StraDos: a letter for each square from a1 to k10; the other colour's letters come
# twelve later in the alphabet.
EMPTY, LAKE = "A", "_"
GRAVON = dict(zip("BCDEFGHIJKLM", "BYRESLKJCGMF", strict=True))
SHIFT = len(GRAVON)
LETTERS = re.compile("[A-Z_]{30,}")
FILES, HALF = 10, 40

# The Chinese edition numbers the ranks; an empty square is a dot or a stroke.
NUMBERED = dict(zip("123456789SBF", "MGCJKLSERYBF", strict=True))
BLANK = "._-"


class LettersAndNumbers(SetupAliases):
    """Both notations; other programs' texts of a whole board give the army of one side."""

    numbered_files = FILES

    def canonical(self, rules: Armies, seat: Seat, text: str) -> str:
        signs = "".join(text.split()).upper()
        if (
            rules.board.files == FILES
            and LETTERS.fullmatch(signs)
            and not set(signs) <= set(rules.kinds)
        ):
            return _from_gravon(seat, signs)
        rows = ["".join(row.split()) for row in re.split("[/\n]", text.strip().upper())]
        return _from_numbers(rules, seat, rows) if self.numbers_ranks(rules, rows) else text

    def numbers_ranks(self, rules: Armies, rows: Iterable[str]) -> bool:
        # Digits that are ranks would exceed the board if they were run lengths.
        known = set(NUMBERED) | set(BLANK)
        if not all(set(row) <= known for row in rows):
            return False
        return any(
            set(row) & set(BLANK)
            or sum(int(sign) if sign.isdigit() else 1 for sign in row) > rules.board.files
            for row in rows
        )


def _from_gravon(seat: Seat, signs: str) -> str:
    """The rows of an army from Gravon's letters for a whole board or for one side.

    It is the army on the seat's own side. If that side is empty, it is the other side's army,
    turned by half a circle.
    """
    if len(signs) not in (FILES * FILES, HALF):
        raise BadSetup(
            gettext_noop(
                "A set-up in Gravon's letters has 100 of them, from a1 to k10, or the 40 of one"
                " side; this one has %(count)s."
            ),
            count=len(signs),
        )
    if len(signs) == HALF:
        # The letters of the second colour belong to the upper rows.
        other = EMPTY * (FILES * FILES - HALF)
        northern = any(sign > "M" for sign in signs if sign != LAKE)
        signs = other + signs if northern else signs + other
    pieces = [_rank(sign, place) for place, sign in enumerate(signs)]
    own, others = pieces[:HALF], pieces[: -HALF - 1 : -1]
    if seat is Seat.NORTH:
        own, others = pieces[-HALF:], own[::-1]
    army = own if any(own) else others
    return "/".join(write_row(army[start : start + FILES]) for start in (30, 20, 10, 0))


def _rank(sign: str, place: int) -> Rank:
    """The rank that one of Gravon's letters stands for, "" for an empty square or a lake."""
    square = f"{FILE_LETTERS[place % FILES]}{place // FILES + 1}"
    if sign in (EMPTY, LAKE):
        return ""
    rank = GRAVON.get(sign) or GRAVON.get(chr(ord(sign) - SHIFT))
    if rank is None:
        raise BadSetup(
            gettext_noop(
                "“%(sign)s” on %(square)s is not one of Gravon's letters, which are A to Y."
            ),
            sign=sign,
            square=square,
        )
    if HALF <= place < FILES * FILES - HALF:
        raise BadSetup(
            gettext_noop("There is a piece on %(square)s, outside the four rows of each side."),
            square=square,
        )
    return rank


def _from_numbers(rules: Armies, seat: Seat, rows: list[str]) -> str:
    """The rows of an army from numbered ranks; raises BadSetup."""
    written = []
    for number, row in zip(rules.setup_rows(seat), rows, strict=False):
        if len(row) != rules.board.files:
            raise BadSetup(
                gettext_noop(
                    "Row %(row)s has %(count)s characters; with numbers for the ranks it "
                    "needs one for each of its %(wanted)s squares, and a dot for an empty one."
                ),
                row=number,
                count=len(row),
                wanted=rules.board.files,
            )
        written.append(write_row(NUMBERED.get(sign, "") for sign in row))
    return "/".join(written + rows[len(written) :])
