"""Set-ups of Tactique: those that won most in many matches."""

from collections.abc import Sequence
from random import Random

from games.deployments.patterns import from_pattern
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems.tactique.game import Tactique

# Pieces in front are attacked and shot at first, so they are cheap ones.
PATTERNS = (
    "I1I2I2/PPIIPIII/AAVACACV/FVPVPPPP",
    "I4I1I/IIPIIIPP/VAACAVAC/FVPPPPPV",
    "I5II/PPIIIIPI/ACVVAAAC/PPVVPPPF",
    "I5II/IPIIIIPP/ACVACAAV/PPVVPPPF",
    "1I2I1I1/IIIPPPPP/VVCCAAPA/PIVAVPIF",
    "3I2II/IIPPIPPP/AAACCVAV/FVIPPVPI",
    "II5I/IIPPIPII/AVCVAPAC/FVAPVPPP",
    "I1I1I3/IIIPPIIP/CAPVAVAC/PFVAPPPV",
    "I1I2I2/IPPIIPII/ACVAPACV/PPPAVVPF",
    "1I3II1/IPIPIIPI/PVCCAAAV/APVPPPVF",
    "3I1II1/IPIIIPPI/AACVACVA/FPPVVPPP",
    "I1I1I3/IPIIPPII/VACCAAVA/VVPFPPPP",
    "III5/PIPIIIIP/AVACVCAP/PPAFVPPV",
    "I1I4I/PPIIIIIP/AVAACVAC/PPVVFPPP",
)
FIXED = "FCVA"

# If pieces move one square at a time, those at the back arrive too late: commanders are in the
# third row, and archers in the second, safe from the first attacks and able to answer them.
STEP_PATTERNS = (
    "2I3PI/VPVICVCI/PPAAPPAA/IPIVIIPF",
    "3I2VI/CICIVVPV/IPAIAAAP/PIPPPIPF",
    "1V3II1/VIPCVVPC/PAPAIAAP/IPPIPIIF",
    "1IPI4/VPVCCVPI/VAPAPAIA/FPPIIIIP",
    "1IP2I2/PICPPCPV/VAAPAAPI/FIIVVIPI",
    "2I1V2I/PPICPICV/PAAIAIAP/VIPVIPPF",
    "V1II4/PIVCVPCI/PVAAPIAA/IIPPPPIF",
    "I2P3I/CIPPCIIP/AAPPAAVI/FIVIPVVP",
    "1P2II2/VVPPCVIC/IAAAPAIP/FIVIPIPP",
    "I3I2I/PCVVCIIP/PPAAAIIA/IVPPFPPV",
    "1VI4I/CVVPCPPP/PPAAAAIP/IPVFIIII",
    "1II4I/PCICPIPV/PAAAIAVP/PVVPFPII",
    "2I2PI1/PCIVPPCI/IVAAAPAI/IPVFPPVI",
    "I1I1V3/CVCIPPVI/APAPAIPA/PVIFPIPI",
)
STEP_FIXED = "FCA"
FAMILY = Tactique.family


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """A set-up for the moves of an edition."""
    if rules.options["move"] == "step":
        return from_pattern(rules, seat, STEP_PATTERNS, STEP_FIXED, rng)
    return from_pattern(rules, seat, PATTERNS, FIXED, rng)
