"""Sentence for players that is no refusal: a template to translate, and its values."""

from collections.abc import Mapping
from typing import NamedTuple


class Sentence(NamedTuple):
    """An English template with `%(name)s` placeholders, and their values."""

    template: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        return self.template % self.values
