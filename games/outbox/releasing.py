"""Release of e-mails that a fault of ours has held back, once an administrator has put it right."""

from datetime import datetime, timedelta
from typing import NamedTuple

from games.outbox import dispatcher, ports

WINDOW = timedelta(hours=72)  # e-mails given up before that are old news


class Released(NamedTuple):
    """How many e-mails are sent again, and to how many people whose mailboxes were marked."""

    waiting: int
    given_up: int
    revived: int


def release(since: datetime, *, revive: bool) -> Released:
    """Send what waits for a mail server, and what was given up since then.

    `revive`: write again to those whose mailboxes were marked since then, too.
    """
    # First, or their e-mails would be dropped.
    revived = sum(react(since, revive=revive) for react in ports.on_release)
    waiting = dispatcher.send_again(dispatcher.held_back())
    return Released(waiting, dispatcher.send_again(dispatcher.given_up_since(since)), revived)
