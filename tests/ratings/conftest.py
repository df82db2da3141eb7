"""Fixtures of the rating tests."""

import pytest

from games.people.standing import reliability


@pytest.fixture(autouse=True)
def no_reliability(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are rated alone: to count whether players are reliable takes longer than that."""
    monkeypatch.setattr(reliability, "on_match", lambda *_: None)
