"""Count of the open challenges to a user, for the navigation and the home page."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.lobby.models import OPEN, Invitation
from lib.prepared_queries import PreparedQuery


def count_challenges(user: User | AnonymousUser) -> int:
    """The number of open challenges to `user`; 0 for visitors."""
    # A cheap check first: every home page asks, and few users have a challenge.
    if not user.is_authenticated or not list(_any_challenge(user_id=user.pk)):
        return 0
    return Invitation.objects.live().challenges_to(user).count()


@PreparedQuery
def _any_challenge(user_id: int) -> QuerySet[Any, Any]:
    """One row if there is an open challenge, expired or not."""
    return Invitation.objects.filter(OPEN, guest=user_id).values_list("pk")[:1]
