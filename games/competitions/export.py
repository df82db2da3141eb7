"""What competitions exports of a person: their tournaments, and their ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from games.competitions.tournaments import own_results
from lib.exports.files import File, json_file
from lib.exports.parts import Part

if TYPE_CHECKING:
    from accounts.models import User

# By the key in events.json.
HISTORIES: dict[str, Callable[[User], Iterator[dict[str, Any]]]] = {
    "tournaments": own_results.entries,
    # Empty until there are ladders.
    "ladders": lambda user: iter(()),
}


def files(user: User) -> Iterator[File]:
    """events.json: an object of lists."""
    yield json_file("events.json", lambda: {name: list(of(user)) for name, of in HISTORIES.items()})


EXPORT = Part(files, own_results.MODELS, own_results.LEFT_OUT)
