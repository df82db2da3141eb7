"""Set-ups of domino Stratego: patterns of roles, filled with the tiles that were dealt.

X is the 6-6, Z the 0-0, G a guard whose higher number defends, A one of the best attackers, W a
weak tile that may be lost, M any other. All but guards attack with their higher number.
"""

from collections.abc import Sequence
from random import Random

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems.domino import Domino

PATTERNS = (
    "AWMWWMWM/GGAMMAWA/XGZGWAAM",
    "WWGMAMAW/ZGAMAMAW/GXGMWWMA",
    "AWZWAWMW/MGGMAMAA/WGXGMMWA",
    "WMAWMAAW/AGWGWAAW/MZGXGMMM",
    "ZMWWWMAG/GGMAAAAM/XGMWWWMA",
    "WWWZGAAG/WMAGXGWA/WAMMMMMA",
    "AWWAWAAW/MGAMWMMM/GXGZMGWA",
    "AWAWWGWM/AMWMAMGG/MMAAWZGX",
    "WAMWGMWA/AWGZAAMM/WGXGMMAW",
    "WMMWWWWA/AMMGAZGA/MAMAWGXG",
    "AMWWWGAW/GAAMGXGA/MWAWMZMM",
    "MWMWAWAW/AMMGMMGA/AZGXGAWW",
    "WMMWWAWZ/WAMGAAGG/AMWAMMGX",
    "AZMMWWWA/AGGAAWMW/GXGWMMAM",
)

FAMILY = Domino.family
TURNED = 0.12  # share of tiles turned the other way, so that a place reveals no tile


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """A set-up of the tiles in hand; South's front row is the first, North's the last."""
    rows = rng.choice(PATTERNS).split("/")
    if rng.random() < 0.5:
        rows = [row[::-1] for row in rows]
    roles = _roles(hand, rng)
    written = ["".join(_turned(roles[sign].pop(), sign, rng) for sign in row) for row in rows]
    return "/".join(written if seat is Seat.SOUTH else reversed(written))


def _roles(hand: Sequence[Rank], rng: Random) -> dict[str, list[Rank]]:
    """The tiles for each role, in random order."""
    tiles = sorted(tile for tile in hand if tile not in ("00", "66"))
    rng.shuffle(tiles)
    tiles.sort(key=lambda tile: (max(tile), min(tile)), reverse=True)
    # The strongest tiles are split at random between guards and attackers.
    strong, rest = tiles[:10], tiles[10:]
    rng.shuffle(strong)
    weak = rest[-6:]
    middle = rest[:-6]
    roles = {"X": ["66"], "Z": ["00"], "G": strong[:4], "A": strong[4:], "W": weak, "M": middle}
    for tiles_of_role in roles.values():
        rng.shuffle(tiles_of_role)
    return roles


def _turned(tile: Rank, sign: str, rng: Random) -> Rank:
    low, high = min(tile), max(tile)
    guards = (sign == "G") != (rng.random() < TURNED)
    return low + high if guards else high + low
