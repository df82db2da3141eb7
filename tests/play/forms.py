"""Helpers that read match pages as a browser without scripts does: links, buttons, fields."""

import html
import re
from typing import Any

from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.play.models.match import Match, Player
from games.play.record.sealed import drafts
from games.play.setups import editing


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, match: Match, query: str = "") -> str:
    response = client.get(f"/match/{match.pk}/{query}")
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def cell(text: str, square: str) -> str:
    """The table cell of a square, including its tags."""
    match = re.search(rf'<td data-square="{square}".*?</td>', text)
    assert match, square
    return match.group()


def states(text: str, square: str) -> set[str]:
    """The states of a square."""
    match = re.match(r'<td [^>]*class="([^"]*)"', cell(text, square))
    return set(match.group(1).split()) if match else set()


def buttons(text: str) -> dict[str, str]:
    """The moves that the buttons on squares prepare, by square."""
    matches = re.findall(r'<td data-square="(\w+)"[^>]*><button[^>]* value="([^"]+)"', text)
    return dict(matches)


def links(text: str) -> dict[str, str]:
    """The queries of the links on squares that continue a move, by square."""
    matches = re.findall(r'<td data-square="(\w+)"[^>]*><a[^>]* href="[^"?]*([^"#]*)', text)
    return {square: query for square, query in matches if "piece=" not in query}


def move_field(text: str) -> str:
    match = re.search(r'id="id_move" name="move" value="([^"]*)"', text)
    assert match
    return match.group(1)


def alert(response: HttpResponse) -> str:
    """The alert of a page with a refusal."""
    match = re.search(r'role="alert">(.*?)</(?:p|div)>', response.content.decode(), re.S)
    assert match
    return html.unescape(re.sub("<[^>]+>", " ", match.group(1))).strip()


def send(client: Client, match: Match, move: str, *, prepare: bool = False) -> Any:
    """Send a move, or save it as a draft, at the match's newest ply."""
    match.refresh_from_db()
    step = "prepare" if prepare else "move"
    return client.post(f"/match/{match.pk}/{step}/", {"move": move, "ply": match.ply})


def set_up(client: Client, match: Match, do: str, **fields: str) -> Any:
    """Press a button of the set-up form."""
    return client.post(f"/match/{match.pk}/set-up/", {"do": do, **fields})


def draft_of(match: Match, user: User) -> dict[str, str]:
    """The set-up that is saved as a draft."""
    return editing.load(drafts.read(Player.objects.get(match=match, user=user))).placed
