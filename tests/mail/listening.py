"""Type of the fixture that starts a listener, and a check whether one listens."""

from collections.abc import Callable

from games.mail.inbound import listener_address

Start = Callable[..., listener_address.ListenAddress]


def listens(place: listener_address.ListenAddress) -> bool:
    """Connect to the listener; raises OSError if nobody listens."""
    listener_address.connect(place, timeout=5).close()
    return True
