"""Pieces of Tactique: ranks, demotion, the table of battles, and the list of losses."""

import re
from functools import cache

from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import KIND, MARKED, BySeat, Rank, Seat, Troop, piece
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.basics.termination import Termination

BOARD = Board(8, 8)
FRONT = 3  # pieces in the foremost row of a set-up (T3)

ARMY = (
    Troop("C", 2, gettext_noop("Commander")),
    Troop("V", 4, gettext_noop("Cavalryman")),
    Troop("P", 8, gettext_noop("Pikeman")),
    Troop("I", 8, gettext_noop("Infantry")),
    Troop("A", 4, gettext_noop("Archer")),
    Troop("F", 1, gettext_noop("Flag")),
)
PLURALS = {
    "C": gettext_noop("Commanders"),
    "V": gettext_noop("Cavalrymen"),
    "P": gettext_noop("Pikemen"),
    "I": gettext_noop("Infantrymen"),
    "A": gettext_noop("Archers"),
    "F": gettext_noop("Flags"),
}
ARCHER, FLAG = "A", "F"
SPENT = "W"  # a demoted infantryman: rank 1, but no archer
RANKS = ("", *(troop.rank for troop in ARMY), SPENT)
KINDS = {rank: kind for kind, rank in enumerate(RANKS) if kind}
STRENGTH = {"C": 5, "V": 4, "P": 3, "I": 2, SPENT: 1, ARCHER: 1, FLAG: 0}
LOWER = {"C": "V", "V": "P", "P": "I", "I": SPENT}
HIGHER = {lower: rank for rank, lower in LOWER.items()}
DEMOTED_SIGN = "'"


class TactiqueTermination(Termination):
    """The ending that exists with the option `volley_flag` (T9)."""

    FLAG_SHOT = "flag shot"


ARCHERS = BySeat(piece(Seat.SOUTH, KINDS[ARCHER]), piece(Seat.NORTH, KINDS[ARCHER]))


def _demotions() -> bytes:
    table = bytearray(256)
    for seat in Seat:
        for rank, lower in LOWER.items():
            table[piece(seat, KINDS[rank])] = piece(seat, KINDS[lower], marked=True)
    return bytes(table)


# For each piece the one a rank lower, or EMPTY for a piece that is removed instead (T9).
DEMOTION = _demotions()


@cache
def declared(content: int) -> Rank:
    """A piece's rank as a battle shows it, with `'` if it is demoted."""
    return RANKS[content & KIND] + DEMOTED_SIGN * bool(content & MARKED)


@cache
def battle(attacker: int, defender: int, *, spent_takes_archer: bool) -> str:
    """The result of a battle in the notation's signs."""
    attacking, defending = RANKS[attacker & KIND], RANKS[defender & KIND]
    if defending == FLAG:
        return "#"
    if defending == ARCHER and (attacking != SPENT or spent_takes_archer):
        return "+"
    if STRENGTH[attacking] == STRENGTH[defending]:
        return "="
    if STRENGTH[attacking] > STRENGTH[defending]:
        return "+" if defender & MARKED else "+d"
    return "-" if attacker & MARKED else "-d"


# The ranks of lost pieces, by seat. A `?` follows the rank of a piece that a volley removed, since
# only its owner knows that rank.
Losses = BySeat[tuple[str, ...]]
NO_LOSSES: Losses = BySeat((), ())
UNNAMED = "?"
LOSS = re.compile(r"[CVPIAWF]'?\??")
LOST = re.compile(rf"lost=(-|(?:{LOSS.pattern})+)/(-|(?:{LOSS.pattern})+)")


def add_loss(losses: Losses, seat: Seat, content: int, *, known: bool) -> Losses:
    """The losses with one more piece."""
    return losses.put(seat, (*losses[seat], declared(content) + ("" if known else UNNAMED)))


def write_losses(losses: Losses) -> str:
    """The field of the position text: `lost=VP'A?/-`."""
    return "lost=" + "/".join("".join(fallen) or "-" for fallen in losses)


def read_losses(field: str) -> Losses | None:
    """The losses in a field of a position text; None if the field holds none."""
    match = LOST.fullmatch(field)
    if not match:
        return None
    south, north = (tuple(LOSS.findall(text)) for text in match.groups())
    return BySeat(south, north)
