"""Edition: a named variant of a game that players pick, and the values of its options.

An edition is a value. The next one is `replace(base, key=..., faceup=True)` and reads like a rule
book: as before, except.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from games.rules.core.basics.options import Option, Value
from games.rules.core.basics.refusals import UnknownRuleset, gettext_noop

OPTION = "option"  # the key of an option in its field's metadata


@dataclass(frozen=True, kw_only=True)
class Edition:
    """The identity of a ruleset: its key, its title and its options.

    `about` is a sentence on what is particular about it.
    """

    key: str
    title: str
    about: str = ""

    @cached_property
    def _fields(self) -> dict[str, dataclasses.Field[Any]]:
        """The field of each option, by the option's name."""
        return {
            field.metadata[OPTION].name: field
            for field in dataclasses.fields(self)
            if OPTION in field.metadata
        }

    @cached_property
    def option_specs(self) -> tuple[Option, ...]:
        """The options of this game, with their values and a sentence about each."""
        return tuple(field.metadata[OPTION] for field in self._fields.values())

    @cached_property
    def options(self) -> Mapping[str, Value]:
        """The value of every option, by its name."""
        return MappingProxyType(
            {name: getattr(self, field.name) for name, field in self._fields.items()}
        )

    def with_options(self, values: Mapping[str, object]) -> Self:
        """The same game with other values of some options; raises UnknownRuleset."""
        changes: dict[str, Any] = {}
        for name, value in values.items():
            if name not in self._fields:
                raise UnknownRuleset(
                    gettext_noop("%(title)s has no rule option %(name)s; it has %(names)s."),
                    title=self.title,
                    name=str(name)[:40],
                    names=", ".join(self._fields),
                )
            field = self._fields[name]
            changes[field.name] = field.metadata[OPTION].admit(value)
        return dataclasses.replace(self, **changes)
