"""Misspelt settings: reports environment variables that look like a setting but are not one.

A misspelt setting would silently have no effect: a restored copy with HOLD_EMAIL=true would send
e-mails to everybody. The environment is full of other programs' variables, so only those are
reported that begin with ESTAFETTE_ or are one character away from a setting that is not set.
"""

import re
from collections.abc import Iterable, Mapping

PREFIX = "ESTAFETTE_"
# Read by Caddy and compose from the same file (deploy/).
DEPLOY_NAMES = {f"{PREFIX}{name}" for name in ("HOST", "WEB", "ENV")}
# Set by Kubernetes for services called estafette or estafette-web.
KUBERNETES_NAME = re.compile(PREFIX + r"(?=\w+\Z)(?:\w+_)?(?:SERVICE_HOST\Z|PORT(?:\Z|_\w))")
MIN_CHARACTERS = 6  # shorter names are one character away from anything
FILE = "_FILE"


def complaints(environment: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """A sentence for each variable that is probably a misspelt setting."""
    ours = set(names)
    given = {name.removesuffix(FILE) for name in environment} & ours
    missing = [name for name in ours - given if len(name) >= MIN_CHARACTERS]
    sentences = []
    for name in sorted(environment):
        if not {name, name.removesuffix(FILE)} & (ours | DEPLOY_NAMES):
            sentences.append(_complaint(name, ours, missing))
    return [sentence for sentence in sentences if sentence]


def _complaint(name: str, ours: Iterable[str], missing: Iterable[str]) -> str:
    plain = name.removesuffix(FILE)
    if name.startswith(PREFIX) and not KUBERNETES_NAME.match(name):
        bare = plain.removeprefix(PREFIX)
        meant = [bare] if bare in ours else [each for each in ours if _is_near(bare, each)]
    else:
        meant = [each for each in missing if _is_near(plain, each)]
        if not meant:
            return ""
    other = f"; {' and '.join(sorted(meant))} is one" if meant else ""
    return f"{name} is not a setting{other}. docs/running/settings.md lists them."


def _is_near(one: str, other: str) -> bool:
    """Whether the names differ by one character, or by two neighbours that are swapped."""
    pairs = zip(one, other, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    left, right = one[same:], other[same:]
    swapped = left[1:2] + left[:1] + left[2:] == right
    return swapped or left[1:] == right[1:] or left[1:] == right or left == right[1:]
