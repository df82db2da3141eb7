"""How many challenges wait for somebody's answer."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.lobby.models import Invitation


def count_challenges(user: User | AnonymousUser) -> int:
    """The open challenges to `user`; none for strangers."""
    if not user.is_authenticated:
        return 0
    return Invitation.objects.live().challenges_to(user).count()
