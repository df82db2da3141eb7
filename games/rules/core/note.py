"""Notes: what the rules have to say that is no refusal."""

from collections.abc import Mapping
from typing import NamedTuple


class Note(NamedTuple):
    """A sentence for the players: a message and its facts, like a refusal's."""

    template: str
    facts: Mapping[str, object]

    def __str__(self) -> str:
        return self.template % self.facts
