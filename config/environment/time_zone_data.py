"""Time zone data: that of the locked package `tzdata`, unless the system's is newer.

Python's `zoneinfo` would prefer the system's data, which may be years old. Deadlines, nights and
days off must be the same on every machine that runs the same version.
"""

import zoneinfo
from collections.abc import Iterable
from pathlib import Path

import tzdata

# The first line of tzdata.zi, and the whole of +VERSION (macOS), name the release of the data.
_RELEASE_FILES = ("tzdata.zi", "+VERSION")
_RELEASE_PREFIX = "# version "
_RELEASE_CHARACTERS = 40  # to read; a release is a year and a letter, such as 2026f
PACKAGE_RELEASE: str = tzdata.IANA_VERSION


def release_in(folders: Iterable[str]) -> str:
    """The release of the data in the first folder that has any, such as "2026f"; else ""."""
    for folder in map(Path, folders):
        for name in _RELEASE_FILES:
            try:
                with (folder / name).open(encoding="ascii", errors="replace") as file:
                    first = file.readline(_RELEASE_CHARACTERS)
            except OSError:
                continue
            return first.removeprefix(_RELEASE_PREFIX).strip()
        if (folder / "Europe").is_dir():
            return ""
    return ""


# PYTHONTZPATH has replaced this path if it is set. Read before `use_newest` empties it.
SYSTEM_RELEASE = release_in(zoneinfo.TZPATH)
IS_SYSTEM_NEWER = SYSTEM_RELEASE > PACKAGE_RELEASE


def use_newest() -> None:
    """Let `zoneinfo` read the newer data, in this process."""
    if not IS_SYSTEM_NEWER:
        # Without a path, it reads the package.
        zoneinfo.reset_tzpath(to=())
        zoneinfo.ZoneInfo.clear_cache()


def description() -> str:
    """The data in use, such as "2026f of the package tzdata (the system has 2025b)"."""
    if IS_SYSTEM_NEWER:
        return f"{SYSTEM_RELEASE} of the system"
    same = SYSTEM_RELEASE == PACKAGE_RELEASE
    other = "" if same else f" (the system has {SYSTEM_RELEASE or 'none, or of unknown age'})"
    return f"{PACKAGE_RELEASE} of the package tzdata{other}"
