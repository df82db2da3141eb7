"""Oracle for Assaut, written from A1 to A15.

Readings chosen where the text leaves room:
* The points that may be huffed are written in the order of their names with commas between them,
  as in a set-up.
* A huff that ends without an ordinary move to follow is no legal turn, the last officer's
  apart.
* A soldiers' turn clears the offenders; an officers' turn that ends the game leaves those it
  made in the position.
* A chain that took the sixteenth soldier is finished: it is no offence, and `compulsory` asks
  for no more.
* A14 tests what a turn has led to; a position one starts from is not tested.
* The soldiers' set-up text is empty; the officers' names its two points in either order.
"""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.rules.oracle.notation import (
    DIAGONAL,
    ORTHOGONAL,
    IllegalMoveError,
    InvalidSetupError,
    all_squares,
    file_of,
    read_rows,
    row_of,
    step,
    write_rows,
)

SIZE = 7
SQUARES = all_squares(SIZE, SIZE)
POINTS = [n for n in SQUARES if n[0] in "cde" or n[1] in "345"]
NO_POINTS = [n for n in SQUARES if n not in POINTS]
FORTRESS = [n for n in POINTS if n[0] in "cde" and n[1] in "567"]
ENOUGH = 16
DEFAULTS = {"soldiers": "shortest", "capture": "huff", "block": "lose", "limit": 100}


def directions_from(point: str) -> list[tuple[int, int]]:
    even = (file_of(point) + row_of(point)) % 2 == 0
    return ORTHOGONAL + (DIAGONAL if even else [])


def along(point: str, direction: tuple[int, int]) -> str:
    """The next point on that line, "" where the line or the board ends."""
    if point == "" or direction not in directions_from(point):
        return ""
    end = step(point, *direction)
    return end if end in POINTS else ""


def neighbours(point: str) -> list[str]:
    ends = [along(point, direction) for direction in directions_from(point)]
    return [end for end in ends if end]


def distances() -> dict[str, int]:
    """Lines from each point to the nearest fortress point on the empty board (A6)."""
    steps_by_point = dict.fromkeys(FORTRESS, 0)
    while len(steps_by_point) < len(POINTS):
        edge = {q for p in steps_by_point for q in neighbours(p) if q not in steps_by_point}
        far = max(steps_by_point.values()) + 1
        steps_by_point.update(dict.fromkeys(edge, far))
    return steps_by_point


DIST = distances()


class Assaut:
    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.pieces: dict[str, str] = {}  # "S" or "o" by point
        self.turn, self.counter, self.ply, self.captured = "S", 0, 0, 0
        self.offenders: list[str] = []
        self.status: list[str] | None = None
        self.volley = None

    # Where it starts

    def set_up(self, texts: list[str]) -> None:
        if texts[0] != "":
            raise InvalidSetupError("The soldiers have nothing to set up.")
        officers = texts[1].split(",")
        if len(officers) != 2 or len(set(officers)) != 2 or not set(officers) <= set(FORTRESS):
            raise InvalidSetupError("The officers stand on two different points of the fortress.")
        self.pieces = {point: "S" for point in POINTS if point not in FORTRESS}
        self.pieces.update(dict.fromkeys(officers, "o"))

    def read(self, text: str) -> None:
        board, turn, counter, ply, captured, offenders = text.split()
        self.pieces = read_rows(board, list(range(SIZE, 0, -1)), SIZE, NO_POINTS, "[So]")
        self.turn, self.counter, self.ply = turn, int(counter), int(ply)
        self.captured = int(captured)
        self.offenders = [] if offenders == "-" else offenders.split(",")
        if any(self.pieces.get(point) != "o" for point in self.offenders):
            raise InvalidSetupError("Only an officer may be blown.")

    # What is asked of it

    def position(self) -> str:
        blow = ",".join(sorted(self.offenders)) or "-"
        fields = [self.view("S"), self.turn, self.counter, self.ply, self.captured, blow]
        return " ".join(str(field) for field in fields)

    def view(self, seat: str) -> str:
        rows = list(range(SIZE, 0, -1))
        return write_rows(rows, SIZE, NO_POINTS, lambda name: self.pieces.get(name, ""))

    def legal(self) -> list[str]:
        return sorted(self.turns()) if self.status is None else []

    def turns(self) -> Iterator[str]:
        """Every turn of the side to move, one by one; there may be very many (A13b)."""
        if self.turn == "S":
            yield from self.soldiers_turns()
        else:
            yield from self.officers_turns()

    # Soldiers (A5 to A9) and huffing (A13)

    def soldiers_turns(self) -> Iterator[str]:
        yield from self.soldiers_moves()
        for offender in self.offenders if self.options["capture"] == "huff" else ():
            del self.pieces[offender]
            last = "o" not in self.pieces.values()
            moves = self.soldiers_moves()
            self.pieces[offender] = "o"
            if last:
                yield f"*{offender}"
            else:
                yield from [f"*{offender},{move}" for move in moves]

    def soldiers_moves(self) -> list[str]:
        return [
            f"{p}-{q}"
            for p, who in self.pieces.items()
            if who == "S"
            for q in neighbours(p)
            if q not in self.pieces and self.soldier_may(p, q)
        ]

    def soldier_may(self, p: str, q: str) -> bool:
        if p in FORTRESS:
            return q in FORTRESS
        if self.options["soldiers"] == "shortest":
            return DIST[q] == DIST[p] - 1 and row_of(q) >= row_of(p)
        if self.options["soldiers"] == "free":
            return row_of(q) >= row_of(p)
        if row_of(p) == row_of(q) == 5:
            return abs(file_of(q) - file_of("d")) < abs(file_of(p) - file_of("d"))
        return row_of(q) > row_of(p)

    # Officers (A10 to A12)

    def officers(self) -> list[str]:
        return [point for point, who in self.pieces.items() if who == "o"]

    def officers_turns(self) -> Iterator[str]:
        compulsory = self.options["capture"] == "compulsory"
        for officer in self.officers():
            if not (compulsory and self.who_can_capture()):
                yield from [f"{officer}-{q}" for q in neighbours(officer) if q not in self.pieces]
            yield from self.chains(officer, officer, [])

    def chains(self, start: str, text: str, jumped: list[str]) -> Iterator[str]:
        """Every chain that goes on from the end of `text`; the soldiers in `jumped` are gone."""
        point = text.split("x")[-1]
        for over, landing in self.jumps(point, start, jumped):
            longer, gone = f"{text}x{landing}", [*jumped, over]
            ends = not self.jumps(landing, start, gone)
            if ends or self.options["capture"] == "huff":
                yield longer
            yield from self.chains(start, longer, gone)

    def jumps(self, point: str, start: str, jumped: list[str]) -> list[tuple[str, str]]:
        """(soldier, landing point) of each jump from `point`; the officer left `start` (A11)."""
        if self.captured + len(jumped) >= ENOUGH:
            return []
        chains = []
        for direction in directions_from(point):
            over = along(point, direction)
            landing = along(over, direction)
            if landing == "" or over in jumped or self.pieces.get(over) != "S":
                continue
            if landing == start or landing in jumped or landing not in self.pieces:
                chains.append((over, landing))
        return chains

    def who_can_capture(self) -> list[str]:
        return [officer for officer in self.officers() if self.jumps(officer, officer, [])]

    # A turn

    def play(self, text: str) -> str:
        if self.status is not None or not self.is_legal(text):
            raise IllegalMoveError(f"{text} is not a legal turn.")
        self.counter += 1
        if self.turn == "S":
            self.soldiers_play(text)
        elif "x" in text:
            self.officer_captures(text.split("x"))
        else:
            self.officer_steps(*text.split("-"))
        self.turn, self.ply = ("O" if self.turn == "S" else "S"), self.ply + 1
        self.status = self.end_of_turn()
        return text

    def is_legal(self, text: str) -> bool:
        if "x" not in text:
            return text in self.short_turns()
        return self.turn == "O" and self.chain_is_legal(text.split("x"))

    def short_turns(self) -> Iterator[str]:
        """The turns without chains, of which there may be too many to list."""
        if self.turn == "S":
            yield from self.soldiers_turns()
        elif not (self.options["capture"] == "compulsory" and self.who_can_capture()):
            for officer in self.officers():
                yield from [f"{officer}-{q}" for q in neighbours(officer) if q not in self.pieces]

    def chain_is_legal(self, points: list[str]) -> bool:
        start = points[0]
        jumped: list[str] = []
        if self.pieces.get(start) != "o":
            return False
        for point, landing in pairwise(points):
            over = [o for o, end in self.jumps(point, start, jumped) if end == landing]
            if not over:
                return False
            jumped += over
        may_stop = self.options["capture"] == "huff"
        return may_stop or not self.jumps(points[-1], start, jumped)

    def soldiers_play(self, text: str) -> None:
        self.offenders = []
        for part in text.split(","):
            if part.startswith("*"):
                del self.pieces[part[1:]]
                self.counter = 0
            else:
                p, q = part.split("-")
                self.pieces[q] = self.pieces.pop(p)
                if p not in FORTRESS and DIST[q] < DIST[p]:
                    self.counter = 0

    def officer_steps(self, p: str, q: str) -> None:
        guilty = self.who_can_capture()
        self.pieces[q] = self.pieces.pop(p)
        self.blame([q if point == p else point for point in guilty])

    def officer_captures(self, points: list[str]) -> None:
        for point, landing in pairwise(points):
            [over] = [o for o, end in self.jumps(point, point, []) if end == landing]
            del self.pieces[over]
            self.pieces[landing] = self.pieces.pop(point)
            self.captured += 1
        self.counter = 0
        last = points[-1]
        self.blame([last] if self.jumps(last, last, []) else [])

    def blame(self, points: list[str]) -> None:
        self.offenders = points if self.options["capture"] == "huff" else []

    # The end (A14)

    def end_of_turn(self) -> list[str] | None:
        if not self.officers():
            return ["S", "officers blown"]
        if all(self.pieces.get(point) == "S" for point in FORTRESS):
            return ["S", "fortress filled"]
        if self.captured >= ENOUGH:
            return ["O", "sixteen captured"]
        if next(self.turns(), None) is None:
            if self.turn == "S":
                return ["O", "soldiers cannot move"]
            if self.options["block"] == "win":
                return ["O", "officers blocked (forbidden)"]
            return ["S", "officers blocked"]
        if self.counter >= self.options["limit"]:
            return ["draw", "no progress"]
        return None


def random_setup(options: dict[str, Any], seat: str, rng: random.Random) -> str:
    return "" if seat == "S" else ",".join(rng.sample(FORTRESS, 2))
