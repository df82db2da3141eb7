"""Keys that an installation makes for itself when its environment names none.

They lie in files of their own, never in the database: a dump of the database opens nothing.
"""

import contextlib
import os
import secrets
from pathlib import Path


def read_or_make(path: Path) -> str:
    """The key kept in `path`, made of 384 random bits (64 URL-safe characters) the first time."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text().strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_urlsafe(48))
    # Web, worker and beat may all start at once: whoever links first has made the key.
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
    return path.read_text().strip()
