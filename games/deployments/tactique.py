"""Set-ups of Tactique: the flag at the back, archers behind the front and apart from each other."""

from collections.abc import Sequence
from random import Random

from games.deployments.patterns import from_pattern
from games.rules.core.pieces import Rank, Seat
from games.rules.core.ruleset import Ruleset
from games.rules.systems.tactique.game import Tactique

PATTERNS = (
    "5IPP/AIVIAVPV/PIPICPAC/FPAIPVII",
    "2PP3P/PACIPVAV/APVVIICI/IFPPIIIA",
    "5PCA/PPVAPIII/PIPVIICV/AIFPPIVA",
    "VVI5/PIVPIPPI/PCAPCAAI/AIIFPPIV",
    "2VVP3/ICAIIPPI/AVICPAPP/VIPIFPIA",
    "I4AP1/IIVPPVIV/IIVAPPAP/APCICPIF",
    "PIP5/IAIPIVCA/VAVVICPI/PPPAIIFP",
    "2P3PP/PAVIVIIV/CIIAAPAI/ICPVIFPP",
    "PPI5/PPVAVIIA/CPIAICIP/IFPVVPIA",
    "P4P1P/PIAIPIIA/VVCCVAPV/IIIAPIFP",
    "P2I3V/PAIPAAIV/PVICVPIC/FPPIAIPI",
    "A1PP4/PVIIAAPP/IAVPVICV/PIIFPCII",
    "5IIP/PVAVPVIA/PPIPIACV/FPCPIAII",
    "4P1PV/VPPIIAVP/APICIIVC/IFPAIPAI",
)

FIXED = "FC"
FAMILY = Tactique.family


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """A set-up of this game."""
    return from_pattern(rules, seat, PATTERNS, FIXED, rng)
