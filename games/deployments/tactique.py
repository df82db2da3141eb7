"""Set-ups of Tactique: the flag in the last row, and the rest as it fared best in many matches."""

from collections.abc import Sequence
from random import Random

from games.deployments.patterns import from_pattern
from games.rules.core.pieces import Rank, Seat
from games.rules.core.ruleset import Ruleset
from games.rules.systems.tactique.game import Tactique

PATTERNS = (
    "II4P1/APPPAAVA/IPCVIPIC/FIIVPVIP",
    "PA4I1/IPVIIAPA/PPCVPCIA/FPIPVIIV",
    "P3IC2/IIPVIIIV/AIIPAAPP/FVPPVCAP",
    "1I1P2P1/PIAIICAI/IPVIPAPV/FVIPVPAC",
    "1P2I1P1/VPVVPIAI/IPICAAVA/FIPIPIPC",
    "IP4P1/IPVPIVVA/PCAIIAIV/FIIPACPP",
    "I4AP1/IIVPPVIV/IIVAPPAP/APCICPIF",
    "2AI2P1/PPAPPIVI/VIIIACIA/PCFVVPPI",
    "2P2P1I/VIAIPVPC/CAAIVPII/IPFAPIVP",
    "2VP1P2/PIPPVAIA/PAIVIACP/PIFIICVI",
    "A1PP4/PVIIAAPP/IAVPVICV/PIIFPCII",
    "2II3I/AVIPIPPV/VPAIACPI/CVPFIPAP",
    "1VP3V1/IAVIIIAV/PCAPIAIP/IIPFPCPP",
    "2VVP3/ICAIIPPI/AVICPAPP/VIPIFPIA",
)

FIXED = "FC"
FAMILY = Tactique.family


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """A set-up of this game."""
    return from_pattern(rules, seat, PATTERNS, FIXED, rng)
