"""Commands of private notes on a player's own match."""

from django.db import transaction

from accounts.models import User
from games.play.models.match import Player
from games.play.record.sealed import notebooks
from games.play.refusals import NotNow, NotSeated
from games.rules.core.basics.refusals import gettext_noop

MAX_NOTE_CHARACTERS = 2_000


def write_note(player_id: int, text: str) -> None:
    """Replace the stored notes, "" to delete them; raises NotNow if they are too long."""
    if len(text) > MAX_NOTE_CHARACTERS:
        raise NotNow(
            gettext_noop("Notes have at most %(most)s characters, and these have %(count)s."),
            most=MAX_NOTE_CHARACTERS,
            count=len(text),
        )
    notebooks.store_note(player_id, text)


class NoteChanged(NotNow):
    """The note was changed since its writer read it."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "Your notes were changed elsewhere in the meantime. The field contains both "
                "versions: save what you want to keep."
            )
        )


@transaction.atomic
def replace_note(player_id: int, text: str, seen: str) -> None:
    """Replace stored notes of the version `seen`, or of any if it is ""; raises a Refusal."""
    # The lock keeps lines that are added concurrently.
    Player.objects.select_for_update().get(pk=player_id)
    there = notebooks.read(player_id)
    if seen and seen != there.note_version and there.note not in ("", text):
        raise NoteChanged
    write_note(player_id, text)


@transaction.atomic
def add_to_note(match_id: int, user: User, line: str) -> None:
    """Add a line to the notes, unless it is their last line already; raises a Refusal."""
    # The lock keeps both of two lines that are added concurrently.
    player = Player.objects.select_for_update().filter(match=match_id, user=user).first()
    if player is None:
        raise NotSeated
    lines = notebooks.read(player.pk).note.splitlines()
    if lines[-1:] != [line]:
        write_note(player.pk, "\n".join([*lines, line]))
