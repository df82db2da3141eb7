"""Editions: a game with particular values of its switches.

An edition is a value. The next one is `replace(base, key=..., faceup=True)` and reads as the rule
book does: as before, except.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from games.rules.core.basics.options import Switch, Value
from games.rules.core.basics.refusals import UnknownRuleset, gettext_noop


@dataclass(frozen=True, kw_only=True)
class Edition:
    """The identity of a ruleset: its key, its title and its switches.

    `about` is a sentence on what is particular about it.
    """

    key: str
    title: str
    about: str = ""

    @cached_property
    def switch_specs(self) -> tuple[Switch, ...]:
        """The switches of this game, with their values and a sentence about each."""
        return tuple(
            field.metadata["switch"]
            for field in dataclasses.fields(self)
            if "switch" in field.metadata
        )

    @cached_property
    def switches(self) -> Mapping[str, Value]:
        """The value of every switch."""
        return MappingProxyType(
            {
                field.metadata["switch"].name: getattr(self, field.name)
                for field in dataclasses.fields(self)
                if "switch" in field.metadata
            }
        )

    def with_switches(self, values: Mapping[str, object]) -> Self:
        """The same game with other values of some switches; raises UnknownRuleset."""
        fields = {
            field.metadata["switch"].name: field
            for field in dataclasses.fields(self)
            if "switch" in field.metadata
        }
        changes: dict[str, Any] = {}
        for name, value in values.items():
            if name not in fields:
                raise UnknownRuleset(
                    gettext_noop("%(title)s has no rule option %(name)s; it has %(names)s."),
                    title=self.title,
                    name=str(name)[:40],
                    names=", ".join(fields),
                )
            changes[fields[name].name] = fields[name].metadata["switch"].admit(value)
        return dataclasses.replace(self, **changes)
