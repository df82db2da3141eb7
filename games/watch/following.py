"""Following: commands of an onlooker, their list, and what the end of a match does.

`on_match` is a subscriber of the events that a match is over or goes on. Nobody but the follower
can find out that they follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Prefetch, QuerySet

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import Person
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.events import MatchEnded
from games.play.models.match import Match, Player
from games.rules.core.basics.refusals import Refusal, gettext_noop
from games.watch.events import FollowedMatchEnded
from games.watch.models import Follow
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User

MAX_FOLLOWED = 50  # live matches of one user
MAX_ENDED = 20  # shown of those that are over
FOLLOWERS_A_BATCH = 500


class FollowRefusal(Refusal):
    """A match cannot be followed."""


class Followed(NamedTuple):
    """The matches that a user follows, with their players: live and over, the newest first."""

    live: list[Match]
    over: list[Match]


def follow(match_id: int, user: User) -> None:
    """Follow a live match. Idempotent.

    Raises Match.DoesNotExist if there is no such match or the user plays in it, FollowRefusal if it
    is over or the user follows MAX_FOLLOWED others.
    """
    with command_transaction():
        # Two requests at once would both be below the limit.
        users = get_user_model()._default_manager.select_for_update(no_key=True)
        list(users.filter(pk=user.pk).values_list("pk"))
        # Or the match would end meanwhile, and this follower would never be notified.
        match = _watchable(match_id, user, Match.objects.select_for_update(no_key=True))
        own_follows = Follow.objects.filter(user=user)
        if own_follows.filter(match=match).exists():
            return
        if not match.is_live:
            raise FollowRefusal(
                gettext_noop("This match is over. Only running matches can be followed.")
            )
        if own_follows.filter(ended_at=None).count() >= MAX_FOLLOWED:
            raise FollowRefusal(
                gettext_noop(
                    "You follow %(limit)s running matches, which is the limit. Stop following one "
                    "of them first."
                ),
                limit=MAX_FOLLOWED,
            )
        Follow.objects.create(match=match, user=user, since=now())


def leave(match_id: int, user: User) -> None:
    """Stop following a match. Idempotent; raises Match.DoesNotExist as `follow`."""
    with command_transaction():
        Follow.objects.filter(match=_watchable(match_id, user), user=user).delete()


def follows(match_id: int, user_id: int) -> bool:
    """Whether a user follows a match; one query."""
    return Follow.objects.filter(match=match_id, user=user_id).exists()


def followed(user_id: int) -> Followed:
    """What a user follows; four queries."""
    players = Prefetch("match__players", Player.objects.select_related("user").order_by("seat"))
    own_follows = (
        Follow.objects.filter(user=user_id).select_related("match").prefetch_related(players)
    )
    live = own_follows.filter(ended_at=None).order_by("-match")[:MAX_FOLLOWED]
    over = own_follows.filter(ended_at__isnull=False).order_by("-ended_at", "-match")[:MAX_ENDED]
    return Followed([row.match for row in live], [row.match for row in over])


def erase_player(user: User) -> None:
    """Delete what an erased user follows."""
    Follow.objects.filter(user=user).delete()


def on_match(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match is over or goes on; its followers are notified, once an ending."""
    match = Match.objects.filter(pk=dispatch.ref["match"]).first()
    if match is None:
        return
    followers = Follow.objects.filter(match=match)
    if match.is_live:
        followers.filter(ended_at__isnull=False).update(ended_at=None)
    elif dispatch.event == MatchEnded.name:
        _notify(match, dispatch.ref["ply"], followers)


def _notify(match: Match, ply: int, followers: QuerySet[Follow]) -> None:
    """Publish the end for all followers, in batches; a repeated row publishes nothing twice."""
    last = 0
    while users := list(
        followers.filter(user__gt=last)
        .order_by("user")
        .values_list("user", flat=True)[:FOLLOWERS_A_BATCH]
    ):
        with transaction.atomic():
            people = tuple(Person(pk) for pk in users)
            publishing.publish(FollowedMatchEnded(followed=match.pk, ply=ply, people=people))
            # Of those alone that were notified: somebody may have followed meanwhile.
            followers.filter(user__in=users).update(ended_at=match.finished_at)
        last = users[-1]


def _watchable(match_id: int, user: User, matches: QuerySet[Match] | None = None) -> Match:
    seated = Player.objects.filter(match=match_id, user=user)
    match = (Match.objects.all() if matches is None else matches).filter(pk=match_id).first()
    if match is None or seated.exists():
        raise Match.DoesNotExist
    return match
