import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _believed(settings: Settings) -> None:
    """As on a newcomer's own machine, where every sender is believed."""
    settings.DEMO = True
    settings.MAIL_AUTHSERV_ID = ""
