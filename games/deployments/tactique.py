"""Set-ups of Tactique: flags far from the middle, and the rest as it fared best in many matches."""

from collections.abc import Sequence
from random import Random

from games.deployments.patterns import from_pattern
from games.rules.core.pieces import Rank, Seat
from games.rules.core.ruleset import Ruleset
from games.rules.systems.tactique.game import Tactique

PATTERNS = (
    "II4P1/AVVIAPPA/IICPIIIC/FAPVPVPP",
    "1PA4I/VIVPPVII/PAPAPVII/FPPCCIIA",
    "A4P1I/PIVPPVII/IAVIAVIP/FPPCICPA",
    "PA4I1/IPVIIAPA/PPCVPCIA/FPIPVIIV",
    "II4P1/APPPAAVA/IPCVIPIC/FIIVPVIP",
    "I1I4P/PPIPAAVP/IPCVCPII/FIPVVIAA",
    "2I3AI/IAVIPPPA/IPCVCAIP/FIPPVPVI",
    "A1I1P3/VPIPAVII/FIPPPVPI/PAICICAV",
    "I4P1A/IPVIIAPP/FPPIPCIA/APICVVIV",
    "IP4I1/IPVPIVVA/ACAPCAIV/FIIPPIPP",
    "IP4P1/IPVPIVVA/PCAIIAIV/FIIPACPP",
    "P3IC2/IIPVIIIV/AIIPAAPP/FVPPVCAP",
    "2III3/VCIAIPPC/VPAIAVPI/VPPFIPAP",
    "2II3I/AVIPIPPV/VPAIACPI/CVPFIPAP",
)

FIXED = "FC"
FAMILY = Tactique.family


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """A set-up of this game."""
    return from_pattern(rules, seat, PATTERNS, FIXED, rng)
