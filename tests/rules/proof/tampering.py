"""Tampering with proofs: by somebody without the key, and by an operator who signs again.

A `Forger` takes a bundle apart, so that a test changes what it likes, and puts it together again.
"""

import json
from collections.abc import Callable
from typing import Any

from games.rules.core.basics.pieces import Seat
from games.rules.proof import chain, seals
from games.rules.proof.hashes import digest
from tests.rules.proof.matches import PUBLIC, Match, sign

Deed = Callable[["Forger"], None]


class Forger:
    """The lines of a bundle, by kind, and what an operator knows besides."""

    def __init__(self, match: Match, **options: bool) -> None:
        self.match = match
        lines = match.bundle(**options).splitlines()
        self.number = match.number
        self.keys = [line for line in lines if line.startswith("key ")]
        self.rule = json.loads(_one(lines, "rule "))
        self.start = json.loads(match.lines[0])
        self.plies = [json.loads(line) for line in match.lines[1:]]
        self.sealed = {  # rank and nonce of each sealed square
            (match.rules.seat_letters[seat], square): [
                rank,
                seals.nonce(army.secret, 17, letter, square),
            ]
            for seat, army in match.armies.items()
            for letter in match.rules.seat_letters[seat]
            for square, rank in zip(match.rules.zone(seat), army.ranks, strict=True)
        }
        self.armies = {
            line.split()[1]: line.split()[2:] for line in lines if line.startswith("army ")
        }
        self.opens = [line.split()[1:] for line in lines if line.startswith("open ")]
        self.seals = [line for line in lines if line.startswith("seal ")]
        self.seed = [line for line in lines if line.startswith("seed ")]
        self.before = list(match.lines)
        self.is_loose = False  # whether the rules line has blanks between its tokens

    # --- what an operator can do

    def reseal(self, seat: str, square: str, rank: str) -> None:
        """Seal another rank on a square, with all that follows."""
        self.sealed[seat, square][0] = rank
        zone = self.rule["zone"][seat].split()
        rows = [(place, *self.sealed[seat, place]) for place in zone]
        self.armies[seat] = [seals.leaf(17, seat, place, *row) for place, *row in rows]
        for ply in self.plies:
            if ply[2] == "setup" and "SN"[ply[1]] == seat:
                ply[5] = seals.army_hash(17, seat, self.armies[seat]) + ply[5][64:]
        for row in self.opens:
            if row[:2] == [seat, square]:
                row[2] = rank
        army = next(self.match.armies[one] for one in Seat if "SN"[one] == seat)
        ranks = " ".join(self.sealed[seat, place][0] for place in zone)
        self.seals = [
            f"seal {seat} {army.secret.hex()} {ranks}" if line.startswith(f"seal {seat}") else line
            for line in self.seals
        ]

    def open(self, seat: str, square: str) -> None:
        """Open a square, in the right place."""
        self.opens.append([seat, square, *self.sealed[seat, square]])
        order = [(s, place) for s in "SN" for place in self.rule["zone"][s].split()]
        self.opens.sort(key=lambda row: order.index((row[0], row[1])))

    def first(self, kind: str, part: str = "") -> list[Any]:
        """The first ply of a kind with that in its text."""
        return next(ply for ply in self.plies if ply[2] == kind and part in ply[3])

    # --- the files

    def lines(self) -> list[str]:
        if self.start[6] == digest(_one(self.match.bundle().splitlines(), "rule ")):
            self.start[6] = digest(self.rules_line())
        return [_json(self.start), *map(_json, self.plies)]

    def rules_line(self) -> str:
        return json.dumps(self.rule) if self.is_loose else _json(self.rule)

    def bundle(self, *, signed: bool) -> str:
        """The bundle; hashed and signed again, or else with its old head and signature."""
        lines = self.lines()
        kept = lines if signed else self.before
        *_, head = chain.heads(kept)
        statement = chain.statement(self.number, len(kept) - 1, head)
        parts = [
            f"estafette/proof/1 {self.number}",
            *self.keys,
            f"rule {self.rules_line()}",
            *(f"ply {line}" for line in lines),
            *chain.proof_lines(statement, sign(statement)),
            *(
                " ".join(("army", *row))
                for row in ((s, *leaves) for s, leaves in self.armies.items())
            ),
            *(" ".join(("open", *row)) for row in self.opens),
            *self.seals,
            *self.seed,
            "end",
        ]
        return "".join(f"{part}\n" for part in parts)


def _one(lines: list[str], start: str) -> str:
    (line,) = (line for line in lines if line.startswith(start))
    return line.removeprefix(start)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


THIEF = f"key {PUBLIC[2]}"
