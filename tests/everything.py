"""`make test`: the fast tier of the tests, in three passes.

Units compute, while in parallel tests wait for servers and then run on PostgreSQL.

python -m tests.everything              # all passes
python -m tests.everything --only units # servers, postgresql: one of the passes
python -m tests.everything --quick      # of the units those that `make check` runs
python -m tests.everything --only newer-python # units that may differ there; CI runs them on it
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
UNITS = f"not servers and {tiers.FAST}"
QUICK = f"{UNITS} and not long"
# What may differ from one Python to the next: imports, the rules, texts and patterns, dates,
# messages, processes, and pages that are written from annotations and docstrings. What the database
# and Django do with it is the same.
NEWER_PYTHON = (
    "tests/rules",
    "tests/plan_language",
    "tests/patterns",
    "tests/mail/reading",
    "tests/mail/authentication",
    "tests/mail/test_correspondence.py",
    "tests/lib",
    "tests/bots/test_protocol.py",
    "tests/deployments",
    "tests/competitions/test_command_line.py",
    "tests/api/test_document.py",
    "tests/config/test_project_files.py",
    "tests/config/environment/test_settings.py",
    "tests/config/environment/test_time_zone_data.py",
    "tests/config/logs",
    "tests/play/pasted",
    "tests/play/record",
    "tests/play/words",
    "tests/play/test_terms.py",
    "tests/play/views/test_pages.py",
    "tests/accounts/test_pages.py",
    "tests/accounts/values",
    "tests/notifications/email/test_every_email.py",
    "tests/test_import_contracts.py",
    "tests/test_translations.py",
)


def pytest(*options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *options]


def commands(quick: bool) -> dict[str, list[str]]:
    return {
        "units": pytest("-n", "2", "--dist", "worksteal", "-m", QUICK if quick else UNITS),
        # They wait more than they compute. Tests of one file share the servers that it starts.
        "servers": pytest(
            *("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder"),
            *("-m", f"servers and {tiers.FAST}"),
        ),
        "postgresql": [sys.executable, "-m", "tests.on_postgres", "-n", "2", "--dist", "worksteal"],
        "newer-python": pytest("-n", "2", "--dist", "worksteal", "-m", QUICK, *NEWER_PYTHON),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.everything", description=__doc__)
    parser.add_argument("--only", choices=(*PASSES, "newer-python"))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    run = commands(given.quick)
    if given.only:
        return subprocess.run(run[given.only]).returncode
    began = time.monotonic()
    codes = {}
    with tempfile.TemporaryFile("w+") as output, ThreadPoolExecutor(1) as background:

        def run_quietly(name: str) -> int:
            return subprocess.run(run[name], stdout=output, stderr=subprocess.STDOUT).returncode

        waiting = {name: background.submit(run_quietly, name) for name in ("servers", "postgresql")}
        codes["units"] = subprocess.run(run["units"]).returncode
        print("\nBeside them the servers, then PostgreSQL:", flush=True)
        codes |= {name: code.result() for name, code in waiting.items()}
        output.seek(0)
        print(output.read())
    summary = ", ".join(f"{name} {'failed' if code else 'passed'}" for name, code in codes.items())
    print(f"{summary}; {time.monotonic() - began:.0f} s.")
    return max(codes.values())


if __name__ == "__main__":
    sys.exit(main())
