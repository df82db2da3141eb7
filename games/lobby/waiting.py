"""How many challenges wait for somebody's answer."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.lobby.models import OPEN, Invitation
from games.play.queries import ReadyQuery


def count_challenges(user: User | AnonymousUser) -> int:
    """The open challenges to `user`; none for strangers."""
    # Hardly anybody is challenged at any one time, and it is asked for every front page.
    if not user.is_authenticated or not list(_any_challenge(user_id=user.pk)):
        return 0
    return Invitation.objects.live().challenges_to(user).count()


@ReadyQuery
def _any_challenge(user_id: int) -> QuerySet[Any, Any]:
    """A row if there is an open challenge, whether its time is up or not."""
    return Invitation.objects.filter(OPEN, guest=user_id).values_list("pk")[:1]
