"""`python -m tests.on_postgres ARGUMENTS`: the tests once more, on a PostgreSQL made for this run.

What has nothing new to say here is left out: tests marked `servers`, which bring their own; the
rules, which know no database; and the leaks that are planted to try the pairs of worlds.
"""

import os
import subprocess
import sys

from tests.servers import Postgres

KNOWN = ("tests/rules", "tests/secrecy/test_teeth.py")


def main(arguments: list[str]) -> int:
    if Postgres.programs() is None:
        print("There is no PostgreSQL on this machine, so the tests ran on SQLite alone.")
        return 1 if os.environ.get("REQUIRE_SERVERS") else 0
    server = Postgres()
    try:
        server.start()
        environment = {**os.environ, "DATABASE_URL": server.url("estafette")}
        ours = ["-m", "not servers", *(f"--ignore={path}" for path in KNOWN)]
        command = [sys.executable, "-m", "pytest", *ours, *arguments]
        return subprocess.run(command, env=environment).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
