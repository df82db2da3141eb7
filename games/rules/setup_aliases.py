"""Set-up aliases for L'Attaque: Gravon's letters and numbered ranks become canonical text.

An alias is converted before anything is read from it, and only where somebody brings a set-up
along: moves, positions and the referee know no aliases.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from games.rules.core.basics.board import FILE_LETTERS
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.refusals import BadSetup, Refusal, gettext_noop
from games.rules.core.basics.row_text import write_row
from games.rules.core.ruleset.armies import LONGEST_SETUP_CHARACTERS
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.game_record import SETUP_TAGS, Record, at_tag

# Gravon and StraDos: a letter a square from a1 to k10, and twelve letters on for the other colour.
EMPTY, LAKE = "A", "_"
GRAVON = dict(zip("BCDEFGHIJKLM", "BYRESLKJCGMF", strict=True))
SHIFT = len(GRAVON)
LETTERS = re.compile("[A-Z_]{30,}")
FILES, HALF = 10, 40

# The Chinese edition counts the ranks; beside them a blank square is a dot or a stroke.
COUNTED = dict(zip("123456789SBF", "MGCJKLSERYBF", strict=True))
BLANK = "._-"


def canonical(rules: Ruleset, seat: Seat, text: str) -> str:
    """The canonical set-up text of an alias; any other text as it is.

    Raises BadSetup for a text that is meant as an alias and is not a correct one.
    """
    # What is too long is refused where it is read.
    if rules.family != "lattaque" or len(text) > LONGEST_SETUP_CHARACTERS:
        return text
    signs = "".join(text.split()).upper()
    if (
        rules.board.files == FILES
        and LETTERS.fullmatch(signs)
        and not set(signs) <= set(rules.kinds)
    ):
        return _from_gravon(seat, signs)
    rows = ["".join(row.split()) for row in re.split("[/\n]", text.strip().upper())]
    return _from_counted(rules, seat, rows) if counts_ranks(rules, rows) else text


def in_canonical(rules: Ruleset, record: Record) -> Record:
    """A record with its set-ups in canonical text; raises BadRecord."""
    setups: BySeat[str | None] = record.setups
    for seat, text in zip(Seat, record.setups, strict=True):
        try:
            setups = setups.put(seat, text and canonical(rules, seat, text))
        except Refusal as refusal:
            raise at_tag(record, SETUP_TAGS[seat], refusal) from refusal
    return replace(record, setups=setups)


def _from_gravon(seat: Seat, signs: str) -> str:
    """The rows of an army from Gravon's letters for a whole board or for one side.

    It is the one on the seat's own side; where nothing stands there it is the other side's, turned
    by half a circle to stand as its owner sees it.
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
        # The forty letters of one side: the second colour's are those of the upper rows.
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


def counts_ranks(rules: Ruleset, rows: Iterable[str]) -> bool:
    """Whether digits stand for ranks: read as run lengths they would exceed the board."""
    if rules.family != "lattaque":
        return False
    known = set(COUNTED) | set(BLANK)
    if not all(set(row) <= known for row in rows):
        return False
    return any(
        set(row) & set(BLANK)
        or sum(int(sign) if sign.isdigit() else 1 for sign in row) > rules.board.files
        for row in rows
    )


def _from_counted(rules: Ruleset, seat: Seat, rows: list[str]) -> str:
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
        written.append(write_row(COUNTED.get(sign, "") for sign in row))
    return "/".join(written + rows[len(written) :])
