"""L'Attaque's army and boards."""

from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import Rank, Troop
from games.rules.core.basics.refusals import gettext_noop

MOBILE = "MGCJKLSERY"

BOARDS = {
    "10x10": Board(10, 10, frozenset(("c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"))),
    "9x10": Board(9, 10, frozenset(("c5", "c6", "e5", "e6", "g5", "g6"))),
}

ARMY: tuple[Troop, ...] = (
    Troop("M", 1, gettext_noop("Marshal")),
    Troop("G", 1, gettext_noop("General")),
    Troop("C", 2, gettext_noop("Colonel")),
    Troop("J", 2, gettext_noop("Major")),
    Troop("K", 4, gettext_noop("Captain")),
    Troop("L", 4, gettext_noop("Lieutenant")),
    Troop("S", 4, gettext_noop("Sergeant")),
    Troop("E", 4, gettext_noop("Miner")),
    Troop("R", 8, gettext_noop("Scout")),
    Troop("Y", 1, gettext_noop("Spy")),
    Troop("B", 4, gettext_noop("Bomb")),
    Troop("F", 1, gettext_noop("Flag")),
)
PLURALS: dict[Rank, str] = {
    "M": gettext_noop("Marshals"),
    "G": gettext_noop("Generals"),
    "C": gettext_noop("Colonels"),
    "J": gettext_noop("Majors"),
    "K": gettext_noop("Captains"),
    "L": gettext_noop("Lieutenants"),
    "S": gettext_noop("Sergeants"),
    "E": gettext_noop("Miners"),
    "R": gettext_noop("Scouts"),
    "Y": gettext_noop("Spies"),
    "B": gettext_noop("Bombs"),
    "F": gettext_noop("Flags"),
}
