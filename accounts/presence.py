"""Whether somebody has been here since they were last written to."""

from accounts.models import User


def welcome(user: User) -> None:
    """They are here, by whatever door: letters may come again."""
    User.objects.filter(pk=user.pk).update(hushed=False)
    user.hushed = False


def hush(user: User) -> None:
    """They have been written to, and hear no more of what waits until they come."""
    User.objects.filter(pk=user.pk).update(hushed=True)
    user.hushed = True
