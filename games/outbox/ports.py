"""Port of the outbox: what notifications implement for it (config/ports.py connects them)."""

from datetime import datetime
from typing import Protocol

from lib.ports import Port


class OnRelease(Protocol):
    def __call__(self, since: datetime, *, revive: bool) -> int:
        """React when an administrator releases e-mails that were refused by our fault.

        With `revive`, clear the bounces since `since`. Returns the number of mailboxes cleared.
        """


on_release: Port[OnRelease] = Port()
