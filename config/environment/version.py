"""The version of the program, with the commit of a checkout: `0.1.0+9350a95d1c2b`."""

from functools import cache
from pathlib import Path

NUMBER = "0.1.0"  # as in pyproject.toml
COMMIT_CHARACTERS = 12
_GIT = Path(__file__).resolve().parent.parent.parent / ".git"


@cache
def version() -> str:
    """The version, with a part of the commit if git's folder is there and can be read."""
    commit = commit_in(_GIT)[:COMMIT_CHARACTERS]
    return f"{NUMBER}+{commit}" if commit else NUMBER


def commit_in(git: Path) -> str:
    """The hash of the commit that is checked out, from the files of a .git folder; "" without.

    Not asked of the program git, which refuses folders of other users, as /opt/estafette is.
    """
    try:
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        branch = head.removeprefix("ref: ")
        if (git / branch).is_file():
            return (git / branch).read_text().strip()
        packed = (git / "packed-refs").read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    return next((line.partition(" ")[0] for line in packed if line.endswith(f" {branch}")), "")
