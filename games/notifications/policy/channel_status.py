"""Channel status: channels that no longer reach a user, kept in the user's row for every page."""

from collections.abc import Collection

from django.db import transaction

from accounts.models import User


def lost(user: User, channel: str) -> None:
    """Nothing reaches them by this way any more."""
    _note(user, channel, add=True)


def found(user: User, channel: str) -> None:
    """It may reach them again, or they know."""
    _note(user, channel, add=False)


@transaction.atomic
def found_all(users: Collection[int], channel: str) -> None:
    """It may reach all of these again, by a statement for each set of channels that are lost."""
    kept = (
        User.objects.select_for_update().filter(pk__in=users).exclude(unreached="").order_by("pk")
    )
    by_lost: dict[str, list[int]] = {}
    for pk, unreached in kept.values_list("pk", "unreached"):
        if channel in unreached.split():
            by_lost.setdefault(unreached, []).append(pk)
    for unreached, pks in by_lost.items():
        left = " ".join(sorted(set(unreached.split()) - {channel}))
        User.objects.filter(pk__in=pks).update(unreached=left)


@transaction.atomic
def _note(user: User, channel: str, *, add: bool) -> None:
    kept = User.objects.select_for_update().filter(pk=user.pk)
    ways = set(kept.values_list("unreached", flat=True).get().split()) - {channel}
    user.unreached = " ".join(sorted(ways | {channel} if add else ways))
    User.objects.filter(pk=user.pk).update(unreached=user.unreached)
