"""Channel status: which channels fail to reach a user, stored in the user's row for every page."""

from collections.abc import Collection

from django.db import transaction

from accounts.models import User


def mark_unreached(user: User, channel: str) -> None:
    """Record that this channel no longer reaches the user; every page then shows a warning."""
    _set(user, channel, is_unreached=True)


def clear(user: User, channel: str) -> None:
    """Remove the mark: the channel may work again, or the user has dismissed the warning."""
    _set(user, channel, is_unreached=False)


@transaction.atomic
def clear_all(users: Collection[int], channel: str) -> None:
    """Remove the marks of these users, by id; one statement per distinct set of channels."""
    rows = (
        User.objects.select_for_update().filter(pk__in=users).exclude(unreached="").order_by("pk")
    )
    by_channels: dict[str, list[int]] = {}
    for pk, unreached in rows.values_list("pk", "unreached"):
        if channel in unreached.split():
            by_channels.setdefault(unreached, []).append(pk)
    for unreached, pks in by_channels.items():
        left = " ".join(sorted(set(unreached.split()) - {channel}))
        User.objects.filter(pk__in=pks).update(unreached=left)


@transaction.atomic
def _set(user: User, channel: str, *, is_unreached: bool) -> None:
    row = User.objects.select_for_update().filter(pk=user.pk)
    others = set(row.values_list("unreached", flat=True).get().split()) - {channel}
    user.unreached = " ".join(sorted(others | {channel} if is_unreached else others))
    User.objects.filter(pk=user.pk).update(unreached=user.unreached)
