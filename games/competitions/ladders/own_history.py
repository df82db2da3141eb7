"""A person's places, challenges and changes on ladders, for the export of data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from games.competitions.ladders.models import Challenge, Change, Member
from lib.exports.files import in_batches, values
from lib.exports.parts import OF_THE_PERSON, WITHOUT_MEANING, Exported

if TYPE_CHECKING:
    from accounts.models import User

FILE = "events.json"
OF_MEMBER = ("place", "joined_at", "going")
OF_CHALLENGE = (
    *("match", "opened_at", "final_at", "settled_at"),
    *("challenger_missed", "challenged_missed"),
)
OF_CHANGE = ("at", "from_place", "to_place", "why", "match")


def history(user: User) -> Iterator[dict[str, Any]]:
    """Each place, challenge and change with the game of its ladder."""
    members = Member.objects.filter(user=user).select_related("ladder").order_by("pk")
    for member in in_batches(members):
        yield {"ladder": member.ladder.family} | values(member, OF_MEMBER)
    either = Q(challenger=user) | Q(challenged=user)
    challenges = Challenge.objects.filter(either).order_by("pk")
    for challenge in in_batches(challenges.select_related("ladder", "challenger", "challenged")):
        names = {
            "challenger": challenge.challenger.username,
            "challenged": challenge.challenged.username,
        }
        yield {"ladder": challenge.ladder.family} | names | values(challenge, OF_CHALLENGE)
    changes = Change.objects.filter(user=user).select_related("ladder").order_by("pk")
    for change in in_batches(changes):
        yield {"ladder": change.ladder.family} | values(change, OF_CHANGE)


MODELS = {
    "competitions.Member": Exported(
        FILE,
        ("ladder", *OF_MEMBER),
        {
            "id": WITHOUT_MEANING,
            "user": OF_THE_PERSON,
            "check_at": "It says when their membership is looked at next.",
            "warnings": "It numbers notifications.",
            "warned_since": "It says whether they were notified.",
        },
    ),
    "competitions.Challenge": Exported(
        FILE,
        ("ladder", "challenger", "challenged", *OF_CHALLENGE),
        {"id": WITHOUT_MEANING},
    ),
    "competitions.Change": Exported(
        FILE, ("ladder", *OF_CHANGE), {"id": WITHOUT_MEANING, "user": OF_THE_PERSON}
    ),
}
LEFT_OUT = {"competitions.Ladder": "It is public: the page of the ladder has it."}
