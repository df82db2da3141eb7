"""Misspelt settings: reports environment variables that look like a setting but are none.

A setting that is misspelt has no effect and no error: a restored copy with HOLD_EMAIL=true would
write to everybody. Settings have plain names; the environment is full of names that are not ours,
so those are refused that begin with ours, or are one letter away from a setting that is not given.
"""

import re
from collections.abc import Iterable, Mapping

PREFIX = "ESTAFETTE_"
# What Caddy and compose read from the same file (deploy/).
OF_OTHERS = {f"{PREFIX}{name}" for name in ("HOST", "WEB", "ENV")}
# What Kubernetes says of services called estafette or estafette-web.
LINKED = re.compile(PREFIX + r"(?=\w+\Z)(?:\w+_)?(?:SERVICE_HOST\Z|PORT(?:\Z|_\w))")
MIN_CHARACTERS = 6  # shorter names are a letter away from anything
FILE = "_FILE"


def complaints(environment: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """A sentence for each such name."""
    ours = set(names)
    given = {name.removesuffix(FILE) for name in environment} & ours
    missing = [name for name in ours - given if len(name) >= MIN_CHARACTERS]
    told = []
    for name in sorted(environment):
        if not {name, name.removesuffix(FILE)} & (ours | OF_OTHERS):
            told.append(_complaint(name, ours, missing))
    return [sentence for sentence in told if sentence]


def _complaint(name: str, ours: Iterable[str], missing: Iterable[str]) -> str:
    plain = name.removesuffix(FILE)
    if name.startswith(PREFIX) and not LINKED.match(name):
        bare = plain.removeprefix(PREFIX)
        meant = [bare] if bare in ours else [each for each in ours if _is_near(bare, each)]
    else:
        meant = [each for each in missing if _is_near(plain, each)]
        if not meant:
            return ""
    other = f"; {' and '.join(sorted(meant))} is one" if meant else ""
    return f"{name} is no setting{other}. docs/running/settings.md lists them."


def _is_near(one: str, other: str) -> bool:
    """Whether a letter more, less, or another, or two in the other order, makes one the other."""
    pairs = zip(one, other, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    left, right = one[same:], other[same:]
    swapped = left[1:2] + left[:1] + left[2:] == right
    return swapped or left[1:] == right[1:] or left[1:] == right or left == right[1:]
