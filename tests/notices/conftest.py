import shutil
from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from accounts.models import User
from games.notices import wishes
from games.play.models.match import Match
from games.relay import carrier
from tests.notices.receiver import Receiver
from tests.play import tables
from tests.play.tables import People


@pytest.fixture
def who(db: None) -> People:
    return tables.people()


@pytest.fixture
def alice(who: People) -> User:
    return who.alice


@pytest.fixture
def bob(who: People) -> User:
    return who.bob


@pytest.fixture
def match(who: People) -> Match:
    """Both armies stand, Alice is to move, and nothing waits in the outbox."""
    match = tables.running_match(who)
    carrier.drain()
    return match


@pytest.fixture
def wish() -> Callable[..., None]:
    """wish(bob, rhythm="calm", zone="Europe/Paris")"""

    def change(user: User, zone: str = "", **wished: object) -> None:
        if zone:
            User.objects.filter(pk=user.pk).update(zone=zone)
        wishes.change(user, **wished)

    return change


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """An https server that notices may be sent to; no other address of this machine may."""
    server = Receiver()
    server.start()
    settings.OUTSIDE_TRUSTED = frozenset({("127.0.0.1", server.port)})
    settings.OUTSIDE_AUTHORITY = server.authority
    yield server
    server.stop()
    shutil.rmtree(server.folder)
