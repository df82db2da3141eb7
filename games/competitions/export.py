"""What competitions exports of a person: their tournaments, and their ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from games.competitions.ladders import own_history
from games.competitions.tournaments import own_results
from lib.exports.files import File, json_file
from lib.exports.parts import Part

if TYPE_CHECKING:
    from accounts.models import User

# By the key in events.json.
HISTORIES: dict[str, Callable[[User], Iterator[dict[str, Any]]]] = {
    "tournaments": own_results.entries,
    "ladders": own_history.history,
}


def files(user: User) -> Iterator[File]:
    """events.json: an object of lists."""
    yield json_file("events.json", lambda: {name: list(of(user)) for name, of in HISTORIES.items()})


EXPORT = Part(
    files,
    own_results.MODELS | own_history.MODELS,
    own_results.LEFT_OUT | own_history.LEFT_OUT,
)
