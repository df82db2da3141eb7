"""Plies as shown by a block of a replay, assembled as the script does it, and by a page."""

import re
from html import unescape
from typing import Any, NamedTuple

from django.test import Client

SQUARE = re.compile(r'<td data-square="(\w+)"(?: class="([^"]*)")?>(.*?)</td>')
STATES = {"last-from", "last-to", "battle", "hit"}


class Shown(NamedTuple):
    """A board with its marks, and the parts next to it by name."""

    squares: dict[str, str]
    marks: dict[str, set[str]]
    texts: dict[str, str]


def of_block(block: dict[str, Any]) -> dict[int, Shown]:
    """Every ply of a block, complete."""
    board: dict[str, str] = {}
    parts: dict[str, str] = {}
    shown = {}
    for ply, frame in enumerate(block["plies"], block["first"]):
        board = board | {square: block["looks"][look] for square, look in frame["board"].items()}
        parts = parts | frame["parts"]
        marks = {square: set(names.split()) for square, names in frame["marks"].items() if names}
        squares = {square: html for square, html in board.items() if html}
        shown[ply] = Shown(squares, marks, {name: _plain(html) for name, html in parts.items()})
    return shown


def of_page(html: str) -> Shown:
    """The ply that a page shows."""
    cells = [cell for cell in SQUARE.findall(html) if "lake" not in cell[1]]
    text_by_part = {name: _plain(inside) for name, inside in _parts(html)}
    text_by_part |= {
        "caption": unescape(re.findall("<caption>(.*?)</caption>", html)[0]),
        "at": unescape(re.findall('</a> <span class="at">(.*?)</span> <a', html)[0]),
    }
    return Shown(
        {square: inside for square, _, inside in cells if inside},
        {
            square: set(names.split()) & STATES
            for square, names, _ in cells
            if set(names.split()) & STATES
        },
        text_by_part,
    )


def fetch(client: Client, address: str) -> dict[str, Any]:
    answer = client.get(address)
    assert answer.status_code == 200, address
    block: dict[str, Any] = answer.json()
    return block


def addresses(html: str) -> tuple[str, str, int]:
    """The URLs of blocks and battles for a page's script, and the number of plies of a block."""
    data = [
        unescape(re.findall(rf'data-{name}="([^"]*)"', html)[0])
        for name in ("plies", "battles", "block")
    ]
    return data[0], data[1], int(data[2])


def _parts(html: str) -> list[tuple[str, str]]:
    """The named parts; each is a div that contains whole elements."""
    parts = []
    for begin in re.finditer(r'<div data-part="(\w+)">', html):
        depth, at = 1, begin.end()
        while depth:
            tag = re.compile("<(/?)div\\b").search(html, at)
            assert tag, begin[1]
            depth, at = depth + (-1 if tag[1] else 1), tag.end()
            end = tag.start()
        parts.append((begin[1], html[begin.end() : end]))
    return parts


def _plain(html: str) -> str:
    return " ".join(html.split())
