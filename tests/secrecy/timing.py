"""`python -m tests.secrecy.timing`: whether response times depend on what is hidden.

For each game and each act of an opponent, it times copies of one match that differ in what is
hidden (copies.py), and prints how far apart they are (welch.py). It fails if they can be
distinguished.
"""

import argparse
import gc
import sys
from random import Random

from tests.by_hand import set_up

PRESETS = ("lattaque-en", "domino", "tactique")
COPIES = 16  # of each truth


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy.timing", description=__doc__)
    parser.add_argument("--samples", type=int, default=10_000, help="of each truth")
    parser.add_argument("--seed", default="", help="for other matches")
    parser.add_argument(
        "--differ",
        choices=("army", "plan", "practice", "nothing"),
        default="army",
        help="what differs between both truths: nothing shows the noise of the method",
    )
    parser.add_argument("--acts", nargs="*", help="these alone; api stands for those of the API")
    parser.add_argument("--presets", nargs="*", default=PRESETS)
    given = parser.parse_args()
    set_up()
    from statistics import median

    from django.conf import settings

    from tests.play import match_helpers
    from tests.secrecy.copies import ACTS, API_ACTS, lay, rolled_back
    from tests.secrecy.welch import BOUND, finest, largest_t, sample

    settings.API_LIMITS = {}
    names = list(given.acts or ACTS)
    if "api" in names:
        names[:] = [name for name in names if name != "api"] + list(API_ACTS)
    people, exceeded = match_helpers.people(), 0
    for preset in given.presets:
        rng = Random(f"{preset}/{given.seed}")
        copies = lay(preset, people, COPIES, rng, given.differ)
        for name in names:
            draw = copies.drawing(ACTS[name])
            gc.collect()
            gc.freeze()
            gc.disable()
            samples = sample(draw, given.samples, rolled_back)
            gc.enable()
            t = largest_t(samples)
            exceeded += abs(t) >= BOUND
            usual = median(samples[0] + samples[1]) / 1000
            least = finest(samples) / 1000
            sentence = f"t = {t:5.1f}; a delay of {least:.1f} µs would be found"
            print(f"{preset:12} {name:22} {usual:8.0f} µs  {sentence}", flush=True)
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
