"""Exports: collects every room's part of the export of a person's data (lib/exports)."""

from collections.abc import Iterator

from accounts.models import User
from accounts.people import export as accounts
from games.archive import export as archive
from games.competitions import export as competitions
from games.lobby import export as lobby
from games.mail.admin import export as mail
from games.notifications import export as notifications
from games.people import export as people
from games.play import export as play
from games.ratings import export as ratings
from games.talk import export as talk
from games.watch import export as watch
from lib.exports.files import File
from lib.exports.parts import Part

# In the order of the files; a new room is an entry here.
PARTS: tuple[Part, ...] = (
    accounts.EXPORT,
    notifications.EXPORT,
    lobby.EXPORT,
    ratings.EXPORT,
    people.EXPORT,
    competitions.EXPORT,
    talk.EXPORT,
    mail.EXPORT,
    archive.EXPORT,
    watch.EXPORT,
    play.EXPORT,
    Part(
        lambda user: iter(()),
        left_out=dict.fromkeys(
            (
                "config.KeyFingerprint",
                "config.Alert",
                "config.LastBackup",
                "config.SiteSettings",
            ),
            "It is about the site, not about a person.",
        ),
    ),
)


def files(user: User) -> Iterator[File]:
    """All files of a user's export but the manifest, each made while it is read."""
    for part in PARTS:
        yield from part.files(user)
