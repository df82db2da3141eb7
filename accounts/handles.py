"""Handles: the public names under which people play.

A handle stands in mail headers, addresses of pages, exports and spreadsheets, so its alphabet is
small enough to be safe in all of them. No two people may hold handles that a hurried eye takes for
one another.
"""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 20
FORMER = "former-player"

_SHAPE = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{{SHORTEST - 1},{LONGEST - 1}}}", re.ASCII)

# What would pass for the voice of the house, of its machines, of the rules or of nobody.
RESERVED = """
    abuse account accounts admin administrator all anonymous anybody arbiter archive assaut
    attaque bot contact deleted demo domino draw estafette everybody everyone false gallery
    guest help host hostmaster info lattaque legal lobby login logout mail mailer-daemon me
    moderator news nobody none noreply no-reply north null observer office official onlooker
    open operator player players play post postmaster privacy referee register robot root
    security settings signup site south spectator staff superuser support sysadmin system
    tactique team test true undefined unknown unsubscribe user users void webmaster winner
    www you
"""


def skeleton(handle: str) -> str:
    """What a handle looks like from afar; two handles of one skeleton are taken for one another.

    The outcome is never longer than the handle.
    """
    folded = handle.lower().translate(_LOOK_ALIKES)
    return folded.replace("rn", "m").replace("vv", "w")


_LOOK_ALIKES = str.maketrans({"0": "o", "1": "l", "i": "l", "-": None, "_": None})
_RESERVED_SKELETONS = frozenset(map(skeleton, RESERVED.split()))
_FORMER_SKELETON = skeleton(FORMER)


def validate_shape(handle: str) -> None:
    """Raises ValidationError unless the handle is written as one."""
    if not _SHAPE.fullmatch(handle):
        raise ValidationError(
            _(
                "A handle has %(shortest)d to %(longest)d characters, starts with a letter, "
                "and goes on with letters from A to Z, digits, hyphens and underscores."
            ),
            code="shape",
            params={"shortest": SHORTEST, "longest": LONGEST},
        )


def validate_unreserved(handle: str) -> None:
    """Raises ValidationError for a handle under which one could pose as the house or as nobody."""
    look = skeleton(handle)
    if look in _RESERVED_SKELETONS or look.startswith(_FORMER_SKELETON):
        raise ValidationError(
            _("This handle is kept for the house. Choose one that could only be yours."),
            code="reserved",
        )


VALIDATORS = [validate_shape, validate_unreserved]
