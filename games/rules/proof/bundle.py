"""Bundles and receipts: the files that players download, written from plain values, and read.

A bundle is all that anybody needs to check a match offline; a receipt proves one player's own army.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.proof import chain, seals
from games.rules.proof.opened import NOTHING, Opened, opened, read_plies
from games.rules.proof.rules_line import rules_line
from games.rules.proof.seals import SealedArmy

LONGEST_BUNDLE_CHARACTERS = 20_000_000

SQUARE = "[a-w][1-9][0-9]?"
HEX = "[0-9a-f]{64}"
RANKS = "[0-9A-Z-]{1,2}(?: [0-9A-Z-]{1,2})*"


@dataclass(frozen=True)
class Proven:
    """What a bundle is made of.

    `lines` are those of the chain, from line 0. `armies` has the seats that have set up, none in a
    game that hides nothing. `seed` is that of the deal, if there is one.
    """

    match: int
    rules: Ruleset
    lines: Sequence[str]
    armies: Mapping[Seat, SealedArmy]
    seed: bytes | None
    time_is_final: bool  # whether an ending on time can no longer be undone

    def __repr__(self) -> str:
        return f"<Proven match {self.match}, {len(self.lines)} lines>"


def write_bundle(proven: Proven, keys: Sequence[str], sign: Callable[[str], str]) -> str:
    """The text of a bundle.

    `keys` are public keys in hexadecimal, the newest first; `sign` returns the signature of a
    statement by the first, in hexadecimal.
    """
    *_, head = chain.heads(proven.lines)
    statement = chain.statement(proven.match, len(proven.lines) - 1, head)
    return "".join(
        f"{line}\n"
        for line in (
            f"estafette/proof/1 {proven.match}",
            *(f"key {key}" for key in keys),
            f"rule {rules_line(proven.rules)}",
            *(f"ply {line}" for line in proven.lines),
            *chain.proof_lines(statement, sign(statement)),
            *_army_lines(proven),
            *_opened_lines(proven),
            "end",
        )
    )


def write_receipt(
    match: int,
    rules: Ruleset,
    seat: Seat,
    army: SealedArmy | None,
    words: str | None,
    proof: tuple[str, str],
) -> str:
    """The text of a receipt: the army and the words of one seat, in clear.

    `proof` are the proof lines of the set-up's ply. `army` is None in a game that hides nothing,
    `words` None in one without a deal.
    """
    lines = [f"estafette/receipt/1 {match}", *proof]
    if army is not None:
        lines.append(seal_line(rules, seat, army))
    if words is not None:
        lines.append(f"words {words}")
    return "".join(f"{line}\n" for line in (*lines, "end"))


def seal_line(rules: Ruleset, seat: Seat, army: SealedArmy) -> str:
    """The line that opens a whole army."""
    return f"seal {rules.seat_letters[seat]} {army.secret.hex()} {' '.join(army.ranks)}"


def _armies(proven: Proven) -> list[tuple[Seat, str, SealedArmy]]:
    """The seats that have set up, South first, each with its letter and its army."""
    letters = proven.rules.seat_letters
    return [(seat, letters[seat], proven.armies[seat]) for seat in Seat if seat in proven.armies]


def _army_lines(proven: Proven) -> list[str]:
    return [
        " ".join(
            ("army", letter, *seals.leaves(proven.match, letter, proven.rules.zone(seat), army))
        )
        for seat, letter, army in _armies(proven)
    ]


def _opened_lines(proven: Proven) -> list[str]:
    what = what_is_opened(proven)
    if what.whole:
        lines = [seal_line(proven.rules, seat, army) for seat, _letter, army in _armies(proven)]
        return lines if proven.seed is None else [*lines, f"seed {proven.seed.hex()}"]
    return [
        f"open {letter} {square} {rank} {seals.nonce(army.secret, proven.match, letter, square)}"
        for seat, letter, army in _armies(proven)
        for square, rank in zip(proven.rules.zone(seat), army.ranks, strict=True)
        if (seat, square) in what.origins
    ]


def what_is_opened(proven: Proven) -> Opened:
    """What the bundle of a match opens now."""
    if not proven.armies:
        return NOTHING
    plies = read_plies(proven.lines)
    return opened(proven.rules, plies, proven.armies, time_is_final=proven.time_is_final)


# --- reading


class BadBundle(ValueError):  # noqa: N818 - its argument is the sentence to answer with.
    """A text that is no bundle."""


@dataclass(frozen=True)
class Bundle:
    """A bundle as it was read: the form of its lines is right, and nothing else is checked.

    `ranks` has the ranks of both armies by seat, in the order of their zones, if they are opened.
    """

    match: int
    rules_line: str
    lines: tuple[str, ...]
    ranks: BySeat[tuple[Rank, ...]] | None
    seed: bytes | None


FORM = re.compile(
    "estafette/proof/1 ([0-9]{1,18})\n"
    f"(?:key {HEX}\n)+"
    "rule ([^\n]+)\n"
    "((?:ply [^\n]+\n)+)"
    "head [^\n]+\n"
    "sign [0-9a-f]{128}\n"
    f"(?:army [SN](?: {HEX})+\n){{0,2}}"
    f"(?:open [SN] {SQUARE} [0-9A-Z-]{{1,2}} {HEX}\n)*"
    f"(?:seal S {HEX} ({RANKS})\nseal N {HEX} ({RANKS})\n)?"
    f"(?:seed ({HEX})\n)?"
    "end\n"
)


def read_bundle(text: str) -> Bundle:
    """The bundle of a text; raises BadBundle. CRLF and a BOM count as nothing."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > LONGEST_BUNDLE_CHARACTERS:
        raise BadBundle(f"A bundle has at most {LONGEST_BUNDLE_CHARACTERS} characters.")
    match_of_form = FORM.fullmatch(text)
    if not match_of_form:
        raise BadBundle(
            "This is no bundle; it begins with “estafette/proof/1” and ends with “end”."
        )
    match, rule, plies, south, north, seed = match_of_form.groups()
    return Bundle(
        match=int(match),
        rules_line=rule,
        lines=tuple(line.removeprefix("ply ") for line in plies.splitlines()),
        ranks=BySeat(tuple(south.split()), tuple(north.split())) if south and north else None,
        seed=bytes.fromhex(seed) if seed else None,
    )
