"""Sentences for players that are no refusals: a template to translate, and its facts."""

from collections.abc import Mapping
from typing import NamedTuple


class Sentence(NamedTuple):
    """An English template with `%(name)s` places and the facts that fill them."""

    template: str
    facts: Mapping[str, object]

    def __str__(self) -> str:
        return self.template % self.facts
