"""Drafts: prepared moves and set-ups, stored sealed until they are sent or deleted."""

from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from games.play.models.draft import Draft
from games.play.models.match import Match, Player
from games.play.record.sealed.sealing import seal, unseal
from lib.database.prepared_queries import PreparedQuery

DELETE_ALL = """
    DELETE FROM play_draft WHERE player_id IN (SELECT id FROM play_player WHERE match_id = %s)
"""


def seal_context(player_id: int) -> str:
    """The context to which a draft is sealed."""
    return f"draft/{player_id}"


def store(player: Player, match: Match, ply: int, text: str) -> bool:
    """Store `text` as the player's draft for the ply `ply`, replacing an older one.

    False, with nothing stored, if the match has begun or ended since it was read: the end deletes
    all drafts, and would miss one that is stored later.
    """
    with transaction.atomic():
        unchanged = Match.objects.select_for_update()
        if unchanged.filter(pk=match.pk, status=match.status).first() is None:
            return False
        Draft.objects.update_or_create(
            player=player, defaults={"ply": ply, "sealed": seal(text, seal_context(player.pk))}
        )
    return True


def read(player: Player, ply: int | None = None) -> str:
    """The draft for that ply (for any ply if None), or ""."""
    for prepared_for, sealed in _stored(player_id=player.pk):
        if ply in (None, prepared_for):
            return unseal(sealed, seal_context(player.pk))
    return ""


@PreparedQuery
def _stored(player_id: int) -> QuerySet[Any, Any]:
    return Draft.objects.filter(player=player_id).values_list("ply", "sealed")


def delete_all(match: Match) -> None:
    """Delete the drafts of both players."""
    with connection.cursor() as cursor:
        cursor.execute(DELETE_ALL, [match.pk])


def delete(player: Player) -> None:
    """Delete the player's draft, if there is one."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM play_draft WHERE player_id = %s", [player.pk])
