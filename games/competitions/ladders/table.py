"""The table of a ladder as a reader sees it: places, ratings, challenges, whom they may challenge.

Also for e-mails and as CSV.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games.competitions.ladders import admission
from games.competitions.ladders.models import Change, Ladder, Member
from games.competitions.ladders.refusals import LadderRefusal
from games.ratings.glicko.tables import instant
from games.ratings.shown import Shown, shown_ratings
from games.rules.core.basics.refusals import Refusal

COLUMNS = ("place", "player", "joined_at", "in", "out")
LOG_COLUMNS = ("at", "unit", "player", "from", "to", "why")


@dataclass(frozen=True)
class Row:
    """A member with their rating and the challenges to them and by them.

    `open`: the reader may challenge them. `obstacle`: in a few English words, why a reader who may
    challenge others may not challenge this one; "" for those below them.
    """

    member: Member
    rating: Shown
    incoming: int
    outgoing: int
    open: bool = False
    obstacle: str = ""


def rows(
    ladder: Ladder,
    members: Sequence[Member],
    at: datetime,
    *,
    me: Member | None = None,
    own_obstacle: Refusal | None = None,
) -> list[Row]:
    """The rows of some members, which have their users, for a reader; at most eight queries.

    `me` is the reader's membership, `own_obstacle` why they may challenge nobody.
    """
    ids = [member.user_id for member in members]
    ratings = shown_ratings(ids, ladder.family)
    incoming = admission.incoming(ladder, at, ids)
    outgoing = admission.outgoing(ladder, ids)
    obstacles: dict[int, Refusal] | None = None
    if me is not None and own_obstacle is None:
        obstacles = admission.obstacles(ladder, me, members, at)
    return [
        Row(
            member,
            ratings[pk],
            incoming.get(pk, 0),
            outgoing.get(pk, 0),
            open=obstacles is not None and pk not in obstacles,
            obstacle=_short(obstacles.get(pk)) if obstacles else "",
        )
        for member in members
        for pk in [member.user_id]
    ]


def csv_rows(ladder: Ladder, at: datetime) -> Iterator[tuple[object, ...]]:
    """The members by place, as COLUMNS names them."""
    incoming, outgoing = admission.incoming(ladder, at), admission.outgoing(ladder)
    members = Member.objects.filter(ladder=ladder).order_by("place")
    for member in members.iterator():
        pk = member.user_id
        challenges = incoming.get(pk, 0), outgoing.get(pk, 0)
        yield member.place, f"u{pk}", instant(member.joined_at), *challenges


def csv_log(ladder: Ladder) -> Iterator[tuple[object, ...]]:
    """The changes in their order, as LOG_COLUMNS names them; empty for no place and no match."""
    for change in Change.objects.filter(ladder=ladder).order_by("pk").iterator():
        yield (
            instant(change.at),
            change.match_id or "",
            f"u{change.user_id}",
            change.from_place or "",
            change.to_place or "",
            change.why,
        )


def _short(refusal: Refusal | None) -> str:
    return refusal.short if isinstance(refusal, LadderRefusal) else ""


def friendly_sentence() -> str:
    """Why a challenge is not rated although the ladder is."""
    return _("It is friendly, since you two cannot play a rated match at the moment.")
