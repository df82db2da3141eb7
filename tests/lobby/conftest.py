"""Fixtures of the lobby tests: Alice makes offers, Bob is her opponent, Charlie a third player."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation, InvitationKind


@pytest.fixture
def offer() -> Callable[..., Invitation]:
    """Offers L'Attaque at three days a move, in an open seat unless told otherwise."""

    def make(owner: User, **terms: object) -> Invitation:
        usual: dict[str, Any] = {
            "kind": InvitationKind.CHALLENGE if "guest" in terms else InvitationKind.SEAT,
            "preset": "lattaque-en",
            "pace": "3d",
            "setup_pace": "3d",
        }
        return commands.offer(owner, **(usual | terms))

    return make
