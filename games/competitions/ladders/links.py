"""What other rooms ask: which ladder opened a match, what ends with an account."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.competitions.ladders.models import Ladder, Member
from games.play.ports import EventLink
from games.rules import registry


def link_of(key: str) -> EventLink | None:
    """Title and page of the ladder with this key, such as "ladder/domino"; None for others."""
    kind, _slash, family = key.partition("/")
    is_ladder = kind == "ladder" and family in registry.games
    ladder = Ladder.objects.filter(family=family).first() if is_ladder else None
    if ladder is None:
        return None
    title = _("Ladder of %(game)s") % {"game": ladder.title}
    return EventLink(title, ladder.get_absolute_url())


def at_closing(user_id: int) -> list[tuple[str, str]]:
    """Each ladder that a user would leave by closing their account, with its page; one query."""
    rows = Member.objects.filter(user=user_id).select_related("ladder").order_by("ladder")
    sentence = _("You would leave the ladder of %(game)s, where you hold place %(place)s.")
    return [
        (
            sentence % {"game": row.ladder.title, "place": row.place},
            row.ladder.get_absolute_url(),
        )
        for row in rows
    ]


def compete(one: int, other: int) -> bool:
    """Whether two users are on the same ladder."""
    theirs = Member.objects.filter(user=other).values("ladder")
    return Member.objects.filter(user=one, ladder__in=theirs).exists()
