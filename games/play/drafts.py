"""What a player prepares and has not sent: kept, sealed, until it is sent or put aside."""

from django.db.models import Q

from games.play.models.draft import Draft
from games.play.models.match import Player
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
    wanted = Q(player=player) if ply is None else Q(player=player, ply=ply)
    draft = Draft.objects.filter(wanted).first()
    return unseal(draft.sealed, place(player.pk)) if draft else ""


def drop(player: Player) -> None:
    """Put the draft aside."""
    Draft.objects.filter(player=player).delete()
