"""Arrangements: possibly unfinished set-ups, as a rank for each square that holds a piece.

The set-up form, drafts and the library hold arrangements; the notation's text is written from one
and read into one. A domino's rank includes its orientation: `40` and `04` are one tile.
"""

import json
from collections import Counter
from collections.abc import Mapping

from games.play.pasted import reader
from games.rules.core.basics.board import FILE_LETTERS
from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import setup_aliases

Arrangement = dict[str, Rank]


def to_text(rules: Ruleset, seat: Seat, placed: Arrangement) -> str:
    """The notation's set-up text."""
    faces, index = rules.setup_faces(seat), rules.board.index
    cells = bytearray(rules.board.size)
    for square, rank in placed.items():
        cells[index[square]] = faces[rank]
    return rules.setup_text(Setup(seat, bytes(cells)))


def from_text(rules: Ruleset, seat: Seat, text: str) -> Arrangement:
    """The arrangement of a set-up text of ours, in the notation's letters or in an alias's.

    Raises BadSetup if its form cannot be read.
    """
    setup, faults = rules.parse_setup(seat, setup_aliases.canonical(rules, seat, text))
    if faults:
        raise faults[0].combined(faults)
    return placed_by(rules, setup)


def from_pasted(rules: Ruleset, seat: Seat, text: str) -> Arrangement:
    """The arrangement of a text that a user has pasted, read in a limited child process.

    Raises BadSetup if its form cannot be read, or NotNow.
    """
    return from_text(rules, seat, reader.read_setup(rules, seat, text))


def placed_by(rules: Ruleset, setup: Setup) -> Arrangement:
    """The arrangement of a set-up of the rules."""
    names = rules.board.names
    return {
        names[cell]: rules.rank_of(content) for cell, content in enumerate(setup.cells) if content
    }


def pick(rules: Ruleset, seat: Seat, fields: Mapping[str, str]) -> Arrangement:
    """The arrangement of form fields, a rank for each square; other fields are ignored."""
    known = ranks(rules, seat)
    return {square: fields[square] for square in rules.zone(seat) if fields.get(square) in known}


def ranks(rules: Ruleset, seat: Seat) -> frozenset[Rank]:
    """All ranks that a seat may place in any match by these rules."""
    army = rules.hand(rules.start(None), seat)
    # Without a deal yet, no dominoes are held, and any may be dealt.
    return frozenset(army or rules.kinds)


def is_dealt(rules: Ruleset) -> bool:
    """Whether chance decides in each match which pieces a side has."""
    return rules.deal is not None


def ways(rules: Ruleset, rank: Rank) -> tuple[Rank, ...]:
    """The orientations of a piece: two for a domino that is not a double, else one."""
    turned = rank[::-1]
    return (rank, turned) if turned != rank and turned in rules.kinds else (rank,)


def mirrored(rules: Ruleset, placed: Arrangement) -> Arrangement:
    """The arrangement with left and right exchanged."""
    last = rules.board.files - 1
    return {
        FILE_LETTERS[last - FILE_LETTERS.index(square[0])] + square[1:]: rank
        for square, rank in placed.items()
    }


def turned(rules: Ruleset, placed: Arrangement) -> Arrangement:
    """The arrangement for the other seat: rotated by 180 degrees."""
    return {
        square[0] + str(rules.board.ranks + 1 - int(square[1:])): rank
        for square, rank in mirrored(rules, placed).items()
    }


def in_hand(hand: tuple[Rank, ...], placed: Arrangement) -> dict[Rank, int]:
    """How many of each rank are still to be placed; negative if too many are.

    A domino counts in either orientation.
    """
    left = Counter(hand)
    for rank in placed.values():
        left[rank if rank in left else rank[::-1]] -= 1
    return dict(left)


def dump(placed: Arrangement) -> str:
    """An arrangement as text, to be stored sealed."""
    return json.dumps(placed, separators=(",", ":"), sort_keys=True)


def load(text: str) -> Arrangement:
    """The arrangement that `dump` wrote; empty for an empty text."""
    return dict(json.loads(text)) if text else {}
