"""Builds the message reader's vocabulary from the registered games."""

from collections.abc import Iterable
from functools import lru_cache

from games.mail.reading.grammar.vocabulary import Vocabulary
from games.presentation.registry import presentation_of
from games.rules import registry
from games.rules.core.ruleset.base import Ruleset


def vocabulary() -> Vocabulary:
    """The vocabulary of all registered games."""
    return _vocabulary(tuple(registry.games.values()))


@lru_cache(maxsize=8)
def _vocabulary(systems: tuple[tuple[Ruleset, ...], ...]) -> Vocabulary:
    editions = [rules for system in systems for rules in system]
    by_rows = [rules for rules in editions if _heights(rules)]
    files = [rules.board.files for rules in by_rows]
    heights = [height for rules in by_rows for height in _heights(rules)]
    tiled = [rules for rules in by_rows if presentation_of(rules.family).tiles]
    ranked = [rules for rules in by_rows if rules not in tiled]
    names = {name for system in systems for name in _names(system[0])}
    letters = {sign for rules in ranked for troop in rules.army for sign in troop.rank}
    return Vocabulary(
        names=tuple(sorted(names)),
        files=(min(files), max(files)),
        rows=(min(heights), max(heights)),
        pieces="".join(sorted(letters)),
        army=min(sum(troop.number for troop in rules.army) for rules in by_rows),
        tile_figures=2 * max((rules.board.files for rules in tiled), default=0),
        numbered_files=max(
            (rules.setup_aliases.numbered_files for rules in ranked if rules.setup_aliases),
            default=0,
        ),
        points=_points(rules for rules in editions if rules not in by_rows),
    )


def _heights(rules: Ruleset) -> list[int]:
    """The number of set-up rows of each seat that sets up by rows."""
    heights = [len(rules.setup_rows(seat)) for seat in rules.seats_setting_up]
    return [height for height in heights if height]


def _names(rules: Ruleset) -> set[str]:
    """Names of a game: its key, and its title if that is one word, such as "L'Attaque"."""
    title = rules.title.casefold()
    return {rules.family.casefold(), *({title} if " " not in title else ())}


def _points(rulesets: Iterable[Ruleset]) -> tuple[str, ...]:
    zones = [rules.zone(seat) for rules in rulesets for seat in rules.seats_setting_up]
    return tuple(sorted({square for zone in zones for square in zone}))
