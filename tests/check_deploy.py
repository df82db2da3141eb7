"""`python -m tests.check_deploy`: Django's checks for a real installation."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """The exit code of `manage.py check --deploy`, which a single warning makes fail."""
    with tempfile.TemporaryDirectory() as var:
        environment = {
            "PATH": os.environ["PATH"],
            "VAR_DIR": var,
            "SITE_URL": "https://estafette.example",
            "TRUSTED_PROXY_COUNT": "1",
            "EMAIL_URL": "smtp://127.0.0.1:25",
        }
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "prepare"], cwd=ROOT, env=environment, check=True)
        check = [*manage, "check", "--deploy", "--fail-level", "WARNING"]
        return subprocess.run(check, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
