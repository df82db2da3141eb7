"""Fixtures of the API tests."""

from collections.abc import Iterator

import pytest

from accounts.models import User
from games.api.gate import limits
from tests.api.client import Program


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Each test begins with no requests counted."""
    limits.forget()
    yield
    limits.forget()


@pytest.fixture
def visitor(db: None) -> Program:
    """A program without a token."""
    return Program()


@pytest.fixture
def alice_program(alice: User) -> Program:
    """Alice's program, with every scope."""
    return Program(alice, "play", "challenge")


@pytest.fixture
def bob_program(bob: User) -> Program:
    """Bob's program, which may only read."""
    return Program(bob)
