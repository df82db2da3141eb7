"""`python -m tests.on_postgres [--tier soak] ARGUMENTS`: marked tests once more, on PostgreSQL.

With --partitioned, the tables that grow with every move are partitioned
(tests/bench/scale/partitions.py).

Those are the tests with the mark `postgresql`, whose subject leans on what databases do each in
its way (docs/exactness.md), and in the tier of `make soak` those with `postgresql_soak` as well.
They get a server of their own. Tests marked `servers` bring their own, and are left out here.
"""

import argparse
import os
import subprocess
import sys

from tests import tiers
from tests.bench.scale import partitions
from tests.servers import MIGRATED, Postgres

MARKS = {
    "fast": f"postgresql and not servers and {tiers.FAST}",
    "soak": "postgresql and not servers or postgresql_soak and not servers",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.on_postgres", description=__doc__)
    parser.add_argument("--tier", choices=MARKS, default="fast")
    parser.add_argument("--partitioned", action="store_true")
    given, arguments = parser.parse_known_args()
    if Postgres.programs() is None:
        print("There is no PostgreSQL on this machine, so the tests ran on SQLite alone.")
        return 1 if os.environ.get("REQUIRE_SERVERS") else 0
    server = Postgres()
    try:
        server.start()
        template = MIGRATED
        if given.partitioned:
            partitions.make(server)
            template = partitions.PARTITIONED
        database = {"DATABASE_URL": server.url("estafette"), "TESTS_TEMPLATE": template}
        environment = {**os.environ, **database}
        command = [sys.executable, "-m", "pytest", "-m", MARKS[given.tier], *arguments]
        return subprocess.run(command, env=environment).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
