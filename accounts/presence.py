"""Whether somebody has been here since they were last written to."""

from accounts.models import User


def welcome(user: User) -> None:
    """They are here, by whatever door: letters may come again."""
    User.objects.filter(pk=user.pk).update(hushed=False)
    user.hushed = False


def hush(user: User) -> bool:
    """They are written to, and hear no more of what waits until they come; False if so before."""
    user.hushed = True
    return bool(User.objects.filter(pk=user.pk, hushed=False).update(hushed=True))
