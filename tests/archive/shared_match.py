"""Fixtures of modules whose tests share a finished match; each test undoes what it changes."""

from collections.abc import Iterator
from copy import deepcopy

import pytest
from pytest_django import DjangoDbBlocker

from games.play.models.match import Match
from tests.archive.conftest import BATTLE
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.shared_rows import shared_rows


@pytest.fixture(scope="module")
def played(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[People, Match]]:
    """The players and the finished match, written once for the tests of a module."""
    with shared_rows(django_db_blocker):
        who = match_helpers.people()
        yield who, match_helpers.finished_match(who, *BATTLE)


@pytest.fixture
def who(played: tuple[People, Match], db: None) -> People:
    return deepcopy(played[0])


@pytest.fixture
def finished(played: tuple[People, Match], db: None) -> Match:
    return deepcopy(played[1])
