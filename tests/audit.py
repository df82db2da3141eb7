"""`python -m tests.audit`: looks for known vulnerabilities, where a feed of them can be reached.

What it runs is in an environment of its own (requirements-audit.txt), made when it is first needed.
"""

import json
import subprocess
import sys
import urllib.request

FEED = "https://pypi.org/pypi/Django/5.2.19/json"
TIMEOUT_SECONDS = 5


def is_reachable() -> bool:
    """Whether the feed reports a version that it must know; a mirror of packages does not."""
    try:
        with urllib.request.urlopen(FEED, timeout=TIMEOUT_SECONDS) as answer:
            return "vulnerabilities" in json.load(answer)
    except (OSError, ValueError):
        return False


def main() -> int:
    if is_reachable():
        return subprocess.run(["make", "audit"]).returncode
    print("No feed of vulnerabilities can be reached from here; nothing was looked up.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
