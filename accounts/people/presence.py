"""Presence for calm notifications: has the user been here since the last e-mail to them?

Whoever answers an e-mail has been here as much as whoever opens a page.
"""

from accounts.models import User


def mark_present(user: User) -> None:
    """Note a visit, by a page, a link or an accepted message: the user may be notified again."""
    User.objects.filter(pk=user.pk).update(hushed=False)
    user.hushed = False


def mark_notified(user: User) -> bool:
    """Note that the user was notified and is not to be again before a visit.

    False if they had been notified since their last visit already.
    """
    user.hushed = True
    return bool(User.objects.filter(pk=user.pk, hushed=False).update(hushed=True))
