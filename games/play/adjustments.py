"""The log of a match's clocks: whatever was done to them that was no ply, for everybody to read."""

from datetime import datetime, timedelta

from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage

SHOWN = 10  # on the page of a match


def note(
    player: Player,
    kind: Adjustment.Kind,
    at: datetime,
    *,
    span: timedelta | None = None,
    outage: Outage | None = None,
    words: str = "",
) -> None:
    """Write down what was done to a player's clock; IntegrityError if an outage is noted twice."""
    Adjustment.objects.create(
        match_id=player.match_id,
        seat=player.seat,
        kind=kind,
        span=span,
        outage=outage,
        note=words,
        at=at,
    )
    _mark(player.match_id)


def note_match(match: Match, kind: Adjustment.Kind, at: datetime, words: str = "") -> None:
    """Write down what was done to both clocks."""
    Adjustment.objects.create(match=match, kind=kind, at=at, note=words)
    _mark(match.pk)


def newest(match: Match) -> list[Adjustment]:
    """The last of them, the newest first; no query for the many matches that have none."""
    return list(match.adjustments.order_by("-id")[:SHOWN]) if match.adjusted else []


def _mark(match_id: int) -> None:
    Match.objects.filter(pk=match_id, adjusted=False).update(adjusted=True)
