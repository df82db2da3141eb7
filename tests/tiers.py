"""Two tiers of tests: `make test` runs the fast one, `make soak` every test.

A test with the mark `soak` runs in `make soak` alone. Of each kind of test, some have no such mark
and represent it at every commit.
"""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from games.rules import registry
from games.rules.core.ruleset.base import Ruleset

FAST = "not soak"  # the marks of the fast tier, for pytest's option -m
# Editions that represent all: one of each game, and between them most of the rule options.
REPRESENTATIVES = ("lattaque-zh", "domino", "tactique-volley-all", "tactique-convert", "assaut")


def parameters(values: Iterable[Any], fast: Collection[Any]) -> list[Any]:
    """Parameters for a test, of which only those in `fast` run in the fast tier.

    A tuple holds a value for each argument.
    """
    values = list(values)
    unknown = [value for value in fast if value not in values]
    assert fast and not unknown, f"The fast tier has to be some of the parameters; not {unknown}."
    return [value if value in fast else _in_soak_alone(value) for value in values]


def _in_soak_alone(value: Any) -> Any:
    given = value if type(value) is tuple else (value,)
    return pytest.param(*given, marks=pytest.mark.soak)


def editions(keys: Iterable[str] = ()) -> list[Any]:
    """The keys of all editions, or of these, as parameters; one of each game is fast."""
    known = [*keys] or [rules.key for rules in registry.editions()]
    return parameters(known, fast=[key for key in REPRESENTATIVES if key in known])


def each_ruleset(rulesets: Iterable[Ruleset]) -> pytest.MarkDecorator:
    """A test of each of these rules; those of the representative editions are fast."""
    rulesets = list(rulesets)
    fast = [rules for rules in rulesets if rules.key in REPRESENTATIVES]
    return pytest.mark.parametrize("rules", parameters(rulesets, fast), ids=lambda rules: rules.key)
