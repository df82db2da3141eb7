"""`python -m tests.on_postgres ARGUMENTS`: the tests once more, on a PostgreSQL made for this run.

Tests marked `servers` bring their own servers and have nothing new to say here.
"""

import os
import subprocess
import sys

from tests.servers import Postgres


def main(arguments: list[str]) -> int:
    if Postgres.programs() is None:
        print("There is no PostgreSQL on this machine, so the tests ran on SQLite alone.")
        return 1 if os.environ.get("REQUIRE_SERVERS") else 0
    server = Postgres()
    try:
        server.start()
        environment = {**os.environ, "DATABASE_URL": server.url("estafette")}
        command = [sys.executable, "-m", "pytest", "-m", "not servers", *arguments]
        return subprocess.run(command, env=environment).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
