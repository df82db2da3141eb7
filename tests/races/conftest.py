import pytest

from tests import tiers
from tests.servers import Postgres


@pytest.fixture(params=tiers.parameters(("sqlite", "postgres"), fast=("postgres",)))
def database_url(request: pytest.FixtureRequest) -> str | None:
    """A new PostgreSQL database; None for SQLite. The soak tier races on both."""
    if request.param == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.create("races")
