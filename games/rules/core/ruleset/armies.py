"""Armies of a game: their pieces, the texts of the pieces, and their set-ups."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import or_
from typing import ClassVar

from games.rules.core.basics.board import EMPTY, VOID, Board
from games.rules.core.basics.edition import Edition
from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import KIND, BySeat, Rank, Seat, Troop, piece
from games.rules.core.basics.refusals import BadSetup, gettext_noop, in_words
from games.rules.core.basics.row_text import RowReader, UnreadableRow, typed_rows, write_row
from games.rules.core.state.position import Position

LONGEST_SETUP_CHARACTERS = 1_000
DOTS = re.compile("[.·_]+")
MAX_FAULTS = 20  # listed for one set-up; the rest shows once these are corrected


@dataclass(frozen=True, kw_only=True)
class Armies(Edition, ABC):
    """A board and two armies, with their texts."""

    army: ClassVar[tuple[Troop, ...]]
    plurals: ClassVar[Mapping[Rank, str]]
    seat_names: ClassVar[BySeat[str]] = BySeat(gettext_noop("South"), gettext_noop("North"))
    seat_letters: ClassVar[BySeat[str]] = BySeat("S", "N")
    mark: ClassVar[str] = ""  # what a mark on a piece means: "shown" or "demoted"
    mark_sign: ClassVar[str] = ""
    depth: ClassVar[int] = 0  # the rows that a set-up fills

    @property
    @abstractmethod
    def board(self) -> Board:
        """The board."""

    # --- pieces and their texts

    @cached_property
    def ranks(self) -> tuple[Rank, ...]:
        """The rank of each kind; "" for kind 0, which is no piece."""
        return ("", *(troop.rank for troop in self.army))

    @cached_property
    def kinds(self) -> dict[Rank, int]:
        """The kind of each rank."""
        return {rank: kind for kind, rank in enumerate(self.ranks) if kind}

    @cached_property
    def piece_names(self) -> dict[Rank, str]:
        """The English name of each rank, marked for translation."""
        return {troop.rank: troop.name for troop in self.army}

    def rank_of(self, content: int) -> Rank:
        """The rank of a piece."""
        return self.ranks[content & KIND]

    def face(self, seat: Seat, rank: Rank | None, marked: bool) -> str:
        """The text of a piece on the board: small for North, `?` for an unknown rank."""
        letter = rank if rank else "?"
        return (letter if seat is Seat.SOUTH else letter.lower()) + self.mark_sign * marked

    @cached_property
    def faces(self) -> dict[str, int]:
        """The content of a cell for each text of a piece."""
        return {
            self.face(seat, rank, marked): piece(seat, kind, marked=marked)
            for seat in Seat
            for rank, kind in self.kinds.items()
            for marked in ((False, True) if self.mark else (False,))
        }

    @cached_property
    def texts(self) -> dict[int, str]:
        """The text of each content, the reverse of `faces`."""
        return {content: text for text, content in self.faces.items()} | {EMPTY: "", VOID: "~"}

    @cached_property
    def rows(self) -> RowReader:
        """Parser of the rows of a position's board."""
        return RowReader(self.faces)

    def enlisted_as(self, rank: Rank, *, marked: bool) -> Rank:
        """The line of the army list that a piece with this rank on the board belongs to."""
        return rank

    def stands_as(self, rank: Rank, *, marked: bool) -> tuple[Rank, ...]:
        """The ranks on the board of a piece of this line of the army list; none if impossible."""
        return (rank,) if not marked or self.mark == "shown" else ()

    # --- set-ups

    def setup_faces(self, seat: Seat) -> Mapping[str, int]:
        """The content for each text of a piece in a set-up, in capitals for both sides."""
        return {rank: piece(seat, kind) for rank, kind in self.kinds.items()}

    def setup_rows(self, seat: Seat) -> range:
        """The rows that a set-up fills, highest first as in its text."""
        if seat is Seat.SOUTH:
            return range(self.depth, 0, -1)
        return range(self.board.ranks, self.board.ranks - self.depth, -1)

    def zone(self, seat: Seat) -> tuple[str, ...]:
        """The squares that a set-up fills, in the order of its text."""
        return tuple(
            self.board.names[cell] for row in self.setup_rows(seat) for cell in self.board.row(row)
        )

    def parse_setup(self, seat: Seat, text: str) -> tuple[Setup, list[BadSetup]]:
        """The set-up of a text as far as it can be read, and the faults in its form."""
        if len(text) > LONGEST_SETUP_CHARACTERS:
            fault = BadSetup(
                gettext_noop(
                    "A set-up has at most %(limit)s characters, and this text has %(count)s."
                ),
                limit=LONGEST_SETUP_CHARACTERS,
                count=len(text),
            )
            return Setup(seat, bytes(self.board.size)), [fault]
        setup, faults = self.place_setup(seat, text)
        return setup, faults[:MAX_FAULTS]

    def place_setup(self, seat: Seat, text: str) -> tuple[Setup, list[BadSetup]]:
        """`parse_setup` for a text that is not too long."""
        rows = typed_rows(text).strip().upper().replace("\n", "/").split("/")
        wanted = self.setup_rows(seat)
        if len(rows) != len(wanted):
            fault = BadSetup(
                gettext_noop(
                    "A set-up of this game has %(wanted)s rows with slashes between them, and "
                    "this one has %(count)s."
                ),
                wanted=len(wanted),
                count=len(rows),
            )
            return Setup(seat, bytes(self.board.size)), [fault]
        cells = bytearray(self.board.size)
        faults = []
        for number, row in zip(wanted, rows, strict=True):
            try:
                contents = self.read_setup_row(seat, "".join(row.split()))
            except UnreadableRow as error:
                faults.append(_unreadable(number, str(error)))
                continue
            if len(contents) != self.board.files:
                faults.append(
                    BadSetup(
                        gettext_noop(
                            "Row %(row)s has %(count)s squares, and it should have %(wanted)s."
                        ),
                        row=number,
                        count=len(contents),
                        wanted=self.board.files,
                    )
                )
                continue
            for cell, content in zip(self.board.row(number), contents, strict=True):
                cells[cell] = content
        return Setup(seat, bytes(cells)), faults

    def read_setup_row(self, seat: Seat, text: str) -> list[int]:
        """One row of a set-up text; raises UnreadableRow."""
        # E-mails and other programs draw empty squares as dots.
        text = DOTS.sub(lambda dots: str(len(dots[0])), text)
        return RowReader(self.setup_faces(seat), water=False).read(text)

    def setup_text(self, setup: Setup) -> str:
        """The canonical text of a set-up: the seat's rows, highest first, in capitals."""
        faces = self.setup_faces(setup.seat)
        texts = {EMPTY: ""} | {content: text for text, content in faces.items()}
        return "/".join(
            write_row(texts[setup.cells[cell]] for cell in self.board.row(row))
            for row in self.setup_rows(setup.seat)
        )

    def check_setup(
        self, seat: Seat, text: str, position: Position | None = None
    ) -> list[BadSetup]:
        """All faults of a set-up text; empty if it is valid.

        With a position, the pieces dealt there have to be placed.
        """
        setup, faults = self.parse_setup(seat, text)
        return (faults or self.setup_faults(setup, position))[:MAX_FAULTS]

    def setup_faults(self, setup: Setup, position: Position | None = None) -> list[BadSetup]:
        """All faults in the army of a set-up; empty if it is valid."""
        wanted = {troop.rank: troop.number for troop in self.army}
        return self._count_faults(setup, wanted)

    def _count_faults(self, setup: Setup, wanted: Mapping[Rank, int]) -> list[BadSetup]:
        """Faults for each rank with too few or too many pieces."""
        placed = [self.rank_of(content) for content in setup.cells if content]
        faults = []
        for rank, count in wanted.items():
            missing = count - placed.count(rank)
            if not missing:
                continue
            values = {
                "count": in_words(abs(missing)),
                "piece": self.piece_names[rank],
                "pieces": self.plurals[rank],
            }
            if missing == 1:
                faults.append(BadSetup(gettext_noop("One %(piece)s is left to place."), **values))
            elif missing > 1:
                faults.append(
                    BadSetup(gettext_noop("%(count)s %(pieces)s are left to place."), **values)
                )
            elif missing == -1:
                faults.append(
                    BadSetup(gettext_noop("One %(piece)s too many is on the board."), **values)
                )
            elif missing < -1:
                faults.append(
                    BadSetup(
                        gettext_noop("%(count)s %(pieces)s too many are on the board."), **values
                    )
                )
        return faults

    def deploy(self, position: Position, setup: Setup) -> Position:
        """The position with the army of a set-up placed."""
        # The cells of the zone are empty in the position, the others are empty in the set-up.
        cells = bytes(map(or_, position.cells, setup.cells))
        awaited = tuple(seat for seat in position.awaited if seat is not setup.seat)
        return position._replace(cells=cells, awaited=awaited)


def _unreadable(number: int, text: str) -> BadSetup:
    """The fault of a row that cannot be read from this text on."""
    if text[0].isdigit():
        sentence = gettext_noop("Row %(row)s cannot be read from “%(text)s” on.")
        return BadSetup(sentence, row=number, text=text)
    sentence = gettext_noop("Row %(row)s has “%(sign)s”, and no piece of this game has that sign.")
    return BadSetup(sentence, row=number, sign=text[0])
