"""Username rules: allowed characters, reserved names, look-alikes.

A username ("handle") is used in e-mail headers, URLs, exports and spreadsheets, so its alphabet is
small enough to be safe in all of them. No two users may have usernames that look alike.
"""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from lib.spelling import typed_text

MIN_LENGTH, MAX_LENGTH = 3, 20
FORMER = "former-player"
FORMER_BOT = f"{FORMER}-bot"  # erased bots, whose matches are still none between people
# Only house opponents have this prefix, by a constraint of User, so that the name shows what plays
# even in a game record.
HOUSE = "House-"
# The same for the bots of members.
BOT = "Bot-"

_SHAPE = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{{MIN_LENGTH - 1},{MAX_LENGTH - 1}}}", re.ASCII)

# Names that could be mistaken for staff, the service, a term of the rules or nobody.
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
    """The username with look-alike characters folded: usernames with equal skeletons look alike.

    Never longer than a username that is allowed.
    """
    folded = typed_text.plain(handle).lower().translate(_LOOK_ALIKES)
    return folded.replace("rn", "m").replace("vv", "w")


_LOOK_ALIKES = str.maketrans({"0": "o", "1": "l", "i": "l", "-": None, "_": None})
# Digits that are read as letters, beyond those above. Users may differ in them: "Max3" and "Maxe".
_READ_AS_LETTERS = str.maketrans("2345678", "zeasgtb") | str.maketrans("9", "g")
_REPEATED = re.compile(r"(.)\1+")
_SEPARATOR = re.compile(r"[-_]")


def _wide_skeleton(handle: str) -> str:
    """The skeleton for reserved names: folds more digits, and "cl"."""
    return skeleton(handle.translate(_READ_AS_LETTERS)).replace("cl", "d")


_RESERVED_SKELETONS = frozenset(map(_wide_skeleton, RESERVED.split()))
_HOUSE_SKELETON = _wide_skeleton(HOUSE)
_BOT_SKELETON = _wide_skeleton(BOT)
_RESERVED_PREFIXES = (_wide_skeleton(FORMER), _HOUSE_SKELETON)


def validate_shape(handle: str) -> None:
    """Raise ValidationError for a wrong length or a character that is not allowed."""
    if not _SHAPE.fullmatch(handle):
        raise ValidationError(
            _(
                "A username has %(shortest)d to %(longest)d characters, starts with a letter, "
                "and contains only letters from A to Z, digits, hyphens and underscores."
            ),
            code="shape",
            params={"shortest": MIN_LENGTH, "longest": MAX_LENGTH},
        )


def validate_unreserved(handle: str) -> None:
    """Raise ValidationError for a name that looks like staff, the service, a program or nobody."""
    view = _wide_skeleton(handle)
    words = _SEPARATOR.split(handle, maxsplit=1)
    first_word = _wide_skeleton(words[0])
    if (
        view in _RESERVED_SKELETONS
        or _REPEATED.sub(r"\1", view).startswith(_RESERVED_PREFIXES)
        or _REPEATED.sub(r"\1", first_word).replace("v", "u") == _HOUSE_SKELETON
        # Only with a hyphen or underscore after it: Botvinnik may sign up.
        or (len(words) > 1 and first_word == _BOT_SKELETON)
    ):
        raise ValidationError(
            _("This username is reserved. Please choose another."),
            code="reserved",
        )


def is_house(handle: str) -> bool:
    """Whether this is the username of a house opponent."""
    return handle.startswith(HOUSE)


def is_bot(handle: str) -> bool:
    """Whether this is the username of a bot."""
    return handle.startswith(BOT)


VALIDATORS = [validate_shape, validate_unreserved]
