"""Fixtures of the lobby tests: Alice makes offers, Bob is her opponent, Charlie a third user."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation, InvitationKind
from games.play.terms import Terms


@pytest.fixture
def many_challenges(monkeypatch: pytest.MonkeyPatch) -> None:
    """One player may get many challenges a day."""
    monkeypatch.setattr(commands, "MAX_CHALLENGES_TO_ONE", 1000)
    monkeypatch.setattr(commands, "MAX_CHALLENGES_TO_ANYBODY", 1000)


@pytest.fixture
def offer() -> Callable[..., Invitation]:
    """Offers L'Attaque at three days a move; without `kind` or `guest`, as an open seat."""

    def make(owner: User, **options: Any) -> Invitation:
        names = {field.name for field in fields(Terms)} & options.keys()
        defaults: dict[str, Any] = {"preset": "lattaque-en", "setup_pace": "3d"}
        terms = {name: options.pop(name) for name in names}
        kind = InvitationKind.CHALLENGE if "guest" in options else InvitationKind.SEAT
        return commands.offer(owner, Terms(**defaults | terms), **{"kind": kind} | options)

    return make
