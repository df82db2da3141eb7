"""Issues the reply addresses of a batch of e-mails, many by one statement.

Single inserts would delay each e-mail by one more statement.
"""

from typing import cast

from accounts.models import User
from games.notifications.email.replies import reply_addresses, shown_offers
from games.notifications.email.replies.reply_addresses import About
from games.notifications.email.replies.shown_offers import Offers
from games.notifications.models import Purpose
from games.notifications.policy import preferences
from games.notifications.policy.preferences import Frequency
from games.notifications.policy.prefetch import Prefetch
from games.outbox.handling import Batch
from games.play.record.match_queries import MatchRow


class Issuer:
    """The reply addresses of a batch: the first request also stores those of prefetched rows."""

    def __init__(self, prefetch: Prefetch) -> None:
        self._prefetch = prefetch
        self._noted: set[str] = set()

    @classmethod
    def for_batch(cls, batch: Batch) -> "Issuer":
        """The issuer that all e-mails of this batch share."""
        return batch.keep("reply addresses", lambda: cls(Prefetch.for_batch(batch)))

    def issue(self, about: About) -> str:
        """The reply address of an e-mail, stored before the e-mail is sent."""
        token = about.token
        if token not in self._noted:
            several = [about, *self._ahead()] if about.purpose == Purpose.MATCH else [about]
            reply_addresses.issue_all(several)
            self._noted |= {each.token for each in several}
        return reply_addresses.address(token)

    def close(self) -> None:
        """Does nothing; a batch closes all its resources."""

    def _ahead(self) -> list[About]:
        """The next e-mails of the batch that will probably be sent now."""
        return [
            About(
                dispatch_key=row.message_id,
                purpose=Purpose.MATCH,
                user=cast(User, row.user),
                match_id=ahead.match.pk,
                ply=ahead.match.ply,
                offers=_offers(row.user_id, ahead),
            )
            for row, ahead in self._prefetch.unused()
            if ahead.match.is_at(row.ref.get("ply")) and _is_written_to_at_once(row.user)
        ]


def _offers(user_id: int | None, row: MatchRow) -> dict[int, Offers]:
    """The offers that an e-mail to this reader will show."""
    seats = [seat for seat, player in row.players.items() if player.user_id == user_id]
    seat = seats[0] if seats else None
    return shown_offers.without_none({row.match.pk: shown_offers.open_to(row.match, seat)})


def _is_written_to_at_once(reader: User | None) -> bool:
    if reader is None or not reader.email:
        return False
    return preferences.read(reader).frequency == Frequency.NOW
