"""`python -m tests.simulation --seeds 1000`: simulate this many months; `--seed 7` shows one."""

import argparse
import subprocess
import sys
import time

from tests.by_hand import set_up


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, help="this one alone, with its transcript")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    if given.jobs > 1:
        return _share_out(given.first, given.seeds, given.jobs)
    set_up()
    from tests.simulation.simulate import simulate

    first, count = (given.first, given.seeds) if given.seed is None else (given.seed, 1)
    wrong, began = 0, time.monotonic()
    for seed in range(first, first + count):
        outcome = simulate(seed, days=given.days, matches=given.matches)
        if given.seed is not None:
            print("\n".join(outcome.transcript))
        for fault in outcome.faults:
            print(f"WRONG: seed {seed}: {fault}")
        wrong += bool(outcome.faults)
        done = seed + 1 - first
        if done % 50 == 0 or done == count:
            seconds = time.monotonic() - began
            print(f"{done} of {count} seeds, {wrong} wrong, {seconds:.0f} s", flush=True)
    return 1 if wrong else 0


def _share_out(first: int, seeds: int, jobs: int) -> int:
    """Run the seeds in several processes; returns 1 if any of them found a fault."""
    each = -(-seeds // jobs)
    running = []
    for start in range(first, first + seeds, each):
        count = min(each, first + seeds - start)
        options = ["--first", str(start), "--seeds", str(count)]
        running.append(subprocess.Popen([sys.executable, "-m", "tests.simulation", *options]))
    return max(process.wait() for process in running)


if __name__ == "__main__":
    sys.exit(main())
