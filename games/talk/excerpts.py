"""Excerpts of talk for reports: a line and those before it, as one of the players reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.people.ports import SpokenLine
from games.play.models.match import Player
from games.talk.lines import reading, sealing

if TYPE_CHECKING:
    from accounts.models import User

LINES_BEFORE = 10


def excerpt(match_id: int, number: int, reader: User) -> list[SpokenLine]:
    """A line with up to 10 before it, oldest first, as `games.people.ports.TalkExcerpt` says.

    Lines that were removed, or that a block hides from the reader, are left out. Empty if the line
    itself is one of them, or if the reader does not play in the match.
    """
    player = Player.objects.filter(match=match_id, user=reader.pk).first()
    if player is None:
        return []
    lines = reading.visible(player).filter(number__lte=number).exclude(text=b"")
    rows = list(
        lines.order_by("-number").values_list("number", "writer", "at", "text")[: LINES_BEFORE + 1]
    )
    if not rows or rows[0][0] != number:
        return []
    return [
        SpokenLine(each, writer, at, sealing.unseal(match_id, each, sealed))
        for each, writer, at, sealed in reversed(rows)
    ]
