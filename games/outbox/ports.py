"""Port of the outbox: what notifications do for it (config/ports.py connects them)."""

from datetime import datetime
from typing import Protocol

from lib.ports import Port


class OnRelease(Protocol):
    def __call__(self, since: datetime, *, revive: bool) -> int:
        """E-mails that a fault of ours has held back are released.

        `revive`: write again to those whose mailboxes were marked since then; how many they are.
        """


on_release: Port[OnRelease] = Port()
