"""`python -m tests.on_postgres ARGUMENTS`: marked tests once more, on a PostgreSQL of their own.

Those are the tests with the mark `postgresql`, whose subject leans on what databases do each in
its way: docs/exactness.md says what that is. Tests marked `servers` bring their own.
"""

import os
import subprocess
import sys

from tests.servers import MIGRATED, Postgres


def main(arguments: list[str]) -> int:
    if Postgres.programs() is None:
        print("There is no PostgreSQL on this machine, so the tests ran on SQLite alone.")
        return 1 if os.environ.get("REQUIRE_SERVERS") else 0
    server = Postgres()
    try:
        server.start()
        database = {"DATABASE_URL": server.url("estafette"), "TESTS_TEMPLATE": MIGRATED}
        environment = {**os.environ, **database}
        ours = ["-m", "postgresql and not servers"]
        command = [sys.executable, "-m", "pytest", *ours, *arguments]
        return subprocess.run(command, env=environment).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
