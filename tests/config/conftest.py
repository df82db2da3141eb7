"""Fixtures of these tests: a separate Redis, which they may kill."""

from collections.abc import Iterator

import pytest

from tests.servers import Redis


@pytest.fixture
def redis() -> Iterator[Redis]:
    server = Redis()
    server.start()
    yield server
    server.stop()
