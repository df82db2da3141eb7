"""Release of e-mails that were refused by our fault, once an administrator has fixed it."""

from datetime import datetime, timedelta
from typing import NamedTuple

from games.outbox import ports
from games.outbox.delivery import dispatcher

WINDOW = timedelta(hours=72)  # e-mails given up earlier are not sent again


class Released(NamedTuple):
    """Numbers of e-mails that are sent again, and of mailboxes whose bounces were cleared."""

    waiting: int
    given_up: int
    revived: int


def release(since: datetime, *, revive: bool) -> Released:
    """Send again the e-mails that wait for a retry, and those given up since `since`.

    With `revive`, also clear the bounces of mailboxes since then.
    """
    # First, or the e-mails to these mailboxes would be dropped.
    revived = sum(react(since, revive=revive) for react in ports.on_release)
    waiting = dispatcher.send_again(dispatcher.held_back())
    return Released(waiting, dispatcher.send_again(dispatcher.given_up_since(since)), revived)
