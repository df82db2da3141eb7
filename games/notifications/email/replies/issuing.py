"""Reply addresses of a batch of e-mails, noted many by one statement.

Noted one by one, they would cost each e-mail a statement more, and that before it may leave.
"""

from typing import cast

from accounts.models import User
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from games.notifications.policy import preferences
from games.notifications.policy.preferences import Frequency
from games.notifications.policy.prefetch import Prefetch
from games.outbox.handling import Batch


class Issuer:
    """The addresses of a batch: with the first that is asked for, those of what was read ahead."""

    def __init__(self, prefetch: Prefetch) -> None:
        self._prefetch = prefetch
        self._noted: set[str] = set()

    @classmethod
    def of(cls, batch: Batch) -> "Issuer":
        return batch.keep("reply addresses", lambda: cls(Prefetch.of(batch)))

    def issue(self, about: About) -> str:
        """The address to answer an e-mail to, noted before the e-mail leaves."""
        token = about.token
        if token not in self._noted:
            several = [about, *self._ahead()] if about.purpose == Purpose.MATCH else [about]
            reply_addresses.issue_all(several)
            self._noted |= {each.token for each in several}
        return reply_addresses.address(token)

    def close(self) -> None:
        """Nothing of it is held open."""

    def _ahead(self) -> list[About]:
        """What the next e-mails are about, as far as they are likely to leave now."""
        return [
            About(
                dispatch_key=row.message_id,
                purpose=Purpose.MATCH,
                user=cast(User, row.user),
                match_id=match.pk,
                ply=match.ply,
            )
            for row, match in self._prefetch.unseen()
            if row.ref.get("ply") == match.ply and _is_written_to_at_once(row.user)
        ]


def _is_written_to_at_once(reader: User | None) -> bool:
    if reader is None or not reader.email:
        return False
    return preferences.of(reader).frequency == Frequency.NOW
