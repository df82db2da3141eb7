"""`make test`: the fast tier of the tests, in three passes.

Units compute, while beside them tests wait for servers and then run on PostgreSQL.

python -m tests.everything              # all passes
python -m tests.everything --only units # servers, postgresql: one of the passes
python -m tests.everything --quick      # of the units those that `make check` runs
"""

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from tests import (
    environment,  # noqa: F401 -- all passes share the databases of its folder.
    tiers,
)

PASSES = ("units", "servers", "postgresql")


def pytest(*options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *options]


def commands(quick: bool) -> dict[str, list[str]]:
    units = f"not servers and {tiers.FAST}" + (" and not long" if quick else "")
    return {
        "units": pytest("-n", "2", "--dist", "worksteal", "-m", units),
        # They wait more than they compute.
        "servers": pytest("-n", "3", "--dist", "worksteal", "-m", f"servers and {tiers.FAST}"),
        "postgresql": [sys.executable, "-m", "tests.on_postgres", "-n", "2", "--dist", "worksteal"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.everything", description=__doc__)
    parser.add_argument("--only", choices=PASSES)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    run = commands(given.quick)
    if given.only:
        return subprocess.run(run[given.only]).returncode
    began = time.monotonic()
    codes = {}
    with tempfile.TemporaryFile("w+") as said, ThreadPoolExecutor(1) as beside:

        def run_quietly(name: str) -> int:
            return subprocess.run(run[name], stdout=said, stderr=subprocess.STDOUT).returncode

        waiting = {name: beside.submit(run_quietly, name) for name in ("servers", "postgresql")}
        codes["units"] = subprocess.run(run["units"]).returncode
        print("\nBeside them the servers, then PostgreSQL:", flush=True)
        codes |= {name: code.result() for name, code in waiting.items()}
        said.seek(0)
        print(said.read())
    told = ", ".join(f"{name} {'failed' if code else 'passed'}" for name, code in codes.items())
    print(f"{told}; {time.monotonic() - began:.0f} s.")
    return max(codes.values())


if __name__ == "__main__":
    sys.exit(main())
