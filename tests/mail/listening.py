"""The type of the fixture that starts a listener."""

from collections.abc import Callable

from games.mail.doors import listening

Start = Callable[..., listening.Place]
