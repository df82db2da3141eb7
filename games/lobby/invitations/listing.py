"""Rows of the lobby's lists: invitations, their owners' ratings, what keeps a reader out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from games.lobby.invitations import admission
from games.lobby.invitations.candidates import Candidate
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import Invitation
from games.play.words.wording import refusal_text
from games.ratings.shown import UNRATED, Shown, ratings_by_game


@dataclass(frozen=True)
class Row:
    """An invitation of somebody else, as a list shows it."""

    invitation: Invitation
    rating: Shown  # of its owner
    conditions: list[str]  # a sentence each
    why_not: str  # why the reader may not accept it; "" if they may, and for visitors


def rows(invitations: Iterable[Invitation], reader: Candidate | None, at: datetime) -> list[Row]:
    """The rows of a list; one query for all ratings. `reader` is None for visitors."""
    listed = list(invitations)
    ratings = ratings_by_game({invitation.owner_id for invitation in listed}, at)
    return [
        Row(
            invitation,
            ratings.get((invitation.owner_id, invitation.rules.family), UNRATED),
            Conditions.of_invitation(invitation).sentences(),
            _why_not(reader, invitation),
        )
        for invitation in listed
    ]


def _why_not(reader: Candidate | None, invitation: Invitation) -> str:
    if reader is None or invitation.owner.is_house:
        return ""
    refusal = admission.why_not(reader, invitation)
    return "" if refusal is None else refusal_text(refusal)
