"""A player at their practice board, as a browser without scripts uses it."""

import html
import re
from typing import Any

from django.test import Client

from accounts.models import User
from games.play.models.match import Match
from games.play.practice import stored
from games.play.practice.stored import Practice
from tests.play.forms import client_of


class PracticeClient:
    """The practice board of one player in a match; every step sends what their page holds.

    Their page is the newest that they have opened: `page()` opens it again after others have acted.
    """

    def __init__(self, user: User, match: Match) -> None:
        self.client: Client = client_of(user)
        self.address = f"/match/{match.pk}/practice/"
        self.player = match.players.get(user=user)
        self._open = ""

    def page(self, query: str = "") -> str:
        """The page, with entities resolved."""
        response = self.client.get(self.address + query)
        assert response.status_code == 200
        self._open = html.unescape(response.content.decode())
        return self._open

    def fields(self) -> dict[str, str]:
        """The hidden fields of the page's forms."""
        text = self._open or self.page()
        value_by_name = {}
        for name in ("ply", "version"):
            field = re.search(rf'name="{name}" value="(\d+)"', text)
            assert field
            value_by_name[name] = field[1]
        return value_by_name

    def send(self, do: str, **fields: object) -> Any:
        """Press a button; fields given take precedence over the page's."""
        return self.client.post(self.address, {**self.fields(), "do": do, **fields})

    def do(self, do: str, **fields: object) -> str:
        """Press a button that does what it says; the page afterwards."""
        response = self.send(do, **fields)
        assert response.status_code == 302, response.content.decode()
        assert response["Location"] == self.address
        return self.page()

    def try_moves(self, *texts: str) -> str:
        """Make moves of both sides, one after the other; the page afterwards."""
        for text in texts:
            self.do("move", move=text)
        return self._open

    @property
    def stored(self) -> Practice:
        """What is stored."""
        return stored.read(self.player.pk)

    @property
    def line(self) -> list[str]:
        """The moves of the line."""
        return [step.text for step in self.stored.steps]
