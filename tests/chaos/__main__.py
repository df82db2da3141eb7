"""`python -m tests.chaos --seconds 600 --seed 7`: break the service while people play on it."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.chaos.nemeses import kills
from tests.chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--kills", type=int, default=0, help="at least so many, however long")
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--matches", type=int, default=12, help="of each pair")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args()
    log = Path(tempfile.gettempdir()) / f"chaos-{given.seed}.jsonl"
    print(f"Seed {given.seed}; the history goes to {log}.", flush=True)
    outcome = run(
        given.seconds,
        least_kills=given.kills,
        people=given.people,
        matches=given.matches,
        seed=given.seed,
        log=log,
        tell=lambda line: print(line, flush=True),
    )
    counted = ", ".join(f"{count} {what}" for what, count in sorted(outcome.actions.items()))
    done = ", ".join(f"{name} {count}x" for name, count in sorted(outcome.harm.items()))
    print(
        f"{outcome.seconds} s; {sum(outcome.actions.values())} actions ({counted}), "
        f"{outcome.by_mail} of them by mail, in {outcome.tries} "
        f"tries, the slowest {outcome.slowest} s.\n"
        f"{outcome.emails} e-mails, {outcome.twice} of them twice; half went within "
        f"{outcome.waited[0]} s, 99 of 100 within {outcome.waited[1]} s; quiet after "
        f"{outcome.quiet_after} s.\n{kills(outcome.harm)} kills; {done}."
    )
    for fault in outcome.faults:
        print(f"WRONG: {fault}")
    print(f"{len(outcome.faults)} faults.")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
