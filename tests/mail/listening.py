"""Listeners in tests: the type of the fixture that starts one, and whether one listens."""

from collections.abc import Callable

from games.mail.inbound import listener_address

Start = Callable[..., listener_address.ListenAddress]


def listens(place: listener_address.ListenAddress) -> bool:
    """Whether somebody listens there; raises OSError if not."""
    listener_address.connect(place, timeout=5).close()
    return True
