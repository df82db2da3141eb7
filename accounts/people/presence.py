"""Presence: whether a user has visited since they were last notified (`User.hushed`).

Users with calm notifications get one e-mail about turns between two visits. Answering an e-mail
counts as a visit.
"""

from accounts.models import User


def mark_present(user: User) -> None:
    """Record a visit by page, link or accepted message; the user may be notified again."""
    User.objects.filter(pk=user.pk).update(hushed=False)
    user.hushed = False


def mark_notified(user: User) -> bool:
    """Record that the user was notified; they are not notified again before their next visit.

    Returns False if they were already notified since their last visit.
    """
    user.hushed = True
    return bool(User.objects.filter(pk=user.pk, hushed=False).update(hushed=True))
