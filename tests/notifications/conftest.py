import shutil
from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from accounts.models import User
from games.notifications import standing_access
from games.notifications.policy import preferences
from tests.notifications.receiver import Receiver


@pytest.fixture(autouse=True)
def _recently_authenticated(
    request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skip reauthentication and the e-mail to the owner, except in the tests of these."""
    if not request.module.__name__.endswith("standing_access"):
        settings.ACCOUNT_REAUTHENTICATION_REQUIRED = False
        monkeypatch.setattr(standing_access, "notify_owner", lambda _user: None)


@pytest.fixture
def prefer() -> Callable[..., None]:
    """prefer(bob, frequency="calm", zone="Europe/Paris")"""

    def change(user: User, zone: str = "", **preferred: object) -> None:
        if zone:
            User.objects.filter(pk=user.pk).update(zone=zone)
        preferences.change(user, **preferred)

    return change


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """A local https server that may be called; other local addresses may not."""
    server = Receiver()
    server.start()
    settings.SAFE_HTTP_TRUSTED = frozenset({("127.0.0.1", server.port)})
    settings.SAFE_HTTP_AUTHORITY = server.authority
    yield server
    server.stop()
    shutil.rmtree(server.folder)
