"""Notebooks: what a player has seen, marked, noted and tried, each sealed to its own context."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import transaction

from games.play.models.match import Player
from games.play.models.notebook import NOTEBOOK_COLUMNS, PARTS, Notebook
from games.play.record.sealed.sealing import seal, unseal


class Pages(NamedTuple):
    """The parts of a notebook, unsealed; "" for an empty one. `memory` goes up to `ply`."""

    ply: int = 0
    memory: str = ""
    marks: str = ""
    note: str = ""

    def __repr__(self) -> str:
        return "<Pages>"

    @property
    def note_version(self) -> str:
        """A digest of the note, by which a form knows which text it was made from."""
        return sha256(self.note.encode(errors="replace")).hexdigest()[:16]


def seal_context(part: str, player_id: int) -> str:
    """The context to which a part of a notebook is sealed."""
    return f"{part}/{player_id}"


def read(player_id: int) -> Pages:
    """A player's notebook in a match; empty if there is none."""
    columns = Notebook.objects.filter(player=player_id).values_list(*NOTEBOOK_COLUMNS).first()
    return _open(player_id, columns) if columns else Pages()


def of_reader(player: Player) -> Pages:
    """The notebook that was read with the match of a page, for the page's reader."""
    ply = player.notebook_row[0]
    return Pages() if ply is None else _open(player.pk, player.notebook_row)


def _open(player_id: int, row: tuple[Any, ...]) -> Pages:
    ply, *parts = row
    opened = (open_part(part, player_id, at) for part, at in zip(PARTS, parts, strict=True))
    return Pages(ply, *opened)


def open_part(part: str, player_id: int, sealed: bytes | memoryview | None) -> str:
    """A part as stored, unsealed; "" for None."""
    return "" if sealed is None else unseal(sealed, seal_context(part, player_id))


def store_memory(player_id: int, ply: int, text: str) -> None:
    """Store a player's memory of all pieces, up to a ply."""
    sealed = seal(text, seal_context("memory", player_id))
    Notebook.objects.bulk_create(
        [Notebook(player_id=player_id, ply=ply, memory=sealed)],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["ply", "memory"],
    )


def store_note(player_id: int, text: str) -> None:
    """Store the player's notes, replacing older ones; "" deletes them."""
    sealed = seal(text, seal_context("note", player_id)) if text else None
    Notebook.objects.update_or_create(player_id=player_id, defaults={"note": sealed})


def change_marks(player_id: int, change: Callable[[str], str]) -> None:
    """Store the marks that `change` makes of the stored ones; concurrent changes both count."""
    _change("marks", player_id, change)


def read_practice(player_id: int) -> str:
    """What is stored of a player's practice board; "" if nothing is."""
    sealed = Notebook.objects.filter(player=player_id).values_list("practice", flat=True).first()
    return open_part("practice", player_id, sealed)


def change_practice(player_id: int, change: Callable[[str], str]) -> None:
    """Store the practice board that `change` makes of the stored one, under a lock."""
    _change("practice", player_id, change)


def _change(part: str, player_id: int, change: Callable[[str], str]) -> None:
    with transaction.atomic():
        Notebook.objects.get_or_create(player_id=player_id)
        row = Notebook.objects.select_for_update().get(player_id=player_id)
        text = change(open_part(part, player_id, getattr(row, part)))
        setattr(row, part, seal(text, seal_context(part, player_id)) if text else None)
        row.save(update_fields=[part])


def delete_all(user_id: int) -> None:
    """Delete all notebooks of a user."""
    Notebook.objects.filter(player__user=user_id).delete()
