"""Commands of private notes: a player's own words on their own match."""

from django.db import transaction

from accounts.models import User
from games.play.models.match import Player
from games.play.record.sealed import notebooks
from games.play.refusals import NotNow, NotSeated
from games.rules.core.basics.refusals import gettext_noop

MAX_NOTE_CHARACTERS = 2_000


def write_note(player_id: int, text: str) -> None:
    """Store notes in place of older ones, "" to delete them; raises NotNow if they are too long."""
    if len(text) > MAX_NOTE_CHARACTERS:
        raise NotNow(
            gettext_noop("Notes have at most %(most)s characters, and these have %(count)s."),
            most=MAX_NOTE_CHARACTERS,
            count=len(text),
        )
    notebooks.store_note(player_id, text)


class NoteChanged(NotNow):
    """The note is no longer the one that its writer saw."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "Your notes were changed elsewhere in the meantime. The field contains both "
                "versions: save what you want to keep."
            )
        )


@transaction.atomic
def replace_note(player_id: int, text: str, seen: str) -> None:
    """Store notes in place of those of the version `seen`; "" replaces any. Raises a Refusal."""
    # The lock lets no line be lost that comes at once.
    Player.objects.select_for_update().get(pk=player_id)
    there = notebooks.read(player_id)
    if seen and seen != there.note_version and there.note not in ("", text):
        raise NoteChanged
    write_note(player_id, text)


@transaction.atomic
def add_to_note(match_id: int, user: User, line: str) -> None:
    """Add a line below the notes that there are, unless it is their last; raises a Refusal."""
    # The lock lets two lines that come at once both count.
    player = Player.objects.select_for_update().filter(match=match_id, user=user).first()
    if player is None:
        raise NotSeated
    lines = notebooks.read(player.pk).note.splitlines()
    if lines[-1:] != [line]:
        write_note(player.pk, "\n".join([*lines, line]))
