"""What a player prepares and has not sent: kept, sealed, until it is sent or put aside."""

from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.play.models.draft import Draft
from games.play.models.match import Player
from games.play.queries import ReadyQuery
from games.play.seal import seal, unseal


def place(player_id: int) -> str:
    """Where a draft's sealed text belongs."""
    return f"draft/{player_id}"


def keep(player: Player, ply: int, text: str) -> None:
    """Keep `text` as the player's draft for the ply `ply`, in place of an older one."""
    Draft.objects.update_or_create(
        player=player, defaults={"ply": ply, "sealed": seal(text, place(player.pk))}
    )


def read(player: Player, ply: int | None = None) -> str:
    """The draft for that ply (any if None), or "" where there is none."""
    for prepared_for, sealed in _kept(player_id=player.pk):
        if ply in (None, prepared_for):
            return unseal(sealed, place(player.pk))
    return ""


@ReadyQuery
def _kept(player_id: int) -> QuerySet[Any, Any]:
    return Draft.objects.filter(player=player_id).values_list("ply", "sealed")


def drop(player: Player) -> None:
    """Put the draft aside."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM play_draft WHERE player_id = %s", [player.pk])
