"""Who may be challenged: found by name, and whether they take challenges.

Why somebody takes none is never said: a block, the preference and a closed account are refused in
the same words.
"""

from __future__ import annotations

from accounts.models import User
from games.people.blocking import blocks


def find(handle: str) -> User | None:
    """The user with this username, ignoring case, whether they take challenges or not.

    None if there is none, or only a sign-up that waits for its code.
    """
    user: User | None = User.objects.filter(username__iexact=handle, pending=False).first()
    return user


def takes_challenges(person: User, challenger: User) -> bool:
    """Whether a person takes challenges from a challenger."""
    # Asked in any case, so that every refusal costs the same.
    apart = blocks.is_blocked(person.pk, challenger.pk)
    stays = person.is_active and not person.pending and person.closes_at is None
    return stays and not (person.no_challenges or apart)
