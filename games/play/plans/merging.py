"""Merges the lines of a plan: in the order in which they are tried, without repetitions.

* `merge(lines, newer_wins=False) -> Merged`
* `add(older, newer) -> Merged`, for lines that arrive one message after the other
* `joined(lines)` for lines whose order is settled already

The order is decided turn by turn, from the most exact condition to the least; equals stay in the
order written. Lines that begin alike stand together, where the first of them was written. A line
that ends where another goes on is left out. Merging what was merged changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from games.plan_language.faults import BadLine, gettext_noop
from games.plan_language.lines import MAX_LINES, Condition, Line, Seen, Step
from games.plan_language.words import Word


class Clash(NamedTuple):
    """Two answers to one condition: places of the two lines in what was merged, from 0."""

    earlier: int
    later: int
    bad: BadLine


class Merged(NamedTuple):
    """The merged lines, and the clashes; the later line of each clash is left out."""

    lines: tuple[Line, ...]
    clashes: tuple[Clash, ...] = ()


Level: TypeAlias = "dict[Condition, _Branch]"  # in the order written


@dataclass(repr=False)
class _Branch:
    """What follows one condition: the answer, and the conditions after what the answer showed."""

    answer: str
    place: int  # of the first line with this answer
    after: dict[Seen | None, Level] = field(default_factory=dict)


def merge(lines: Sequence[Line], *, newer_wins: bool = False) -> Merged:
    """The lines in the order in which they are tried.

    Of two answers to one condition the later line is a clash. With `newer_wins` it replaces the
    earlier answer and all that followed it.
    """
    tree, clashes = _tree(lines, newer_wins=newer_wins)
    return Merged(tuple(map(Line, _by_exactness(tree))), clashes)


def add(older: Sequence[Line], newer: Sequence[Line]) -> Merged:
    """A plan with more lines. Clashes are those among the newer lines, by their places there.

    Where an older line answers the same condition in another way, the newer one replaces it.
    """
    added = merge(newer)
    return added if added.clashes else merge([*older, *added.lines], newer_wins=True)


def joined(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines without repetitions, in the order given. The first answer to a condition counts."""
    tree, _ = _tree(lines, newer_wins=False)
    return tuple(map(Line, _as_given(tree)))


def limit_fault(lines: Sequence[Line]) -> BadLine | None:
    """What is wrong with the number of merged lines; None if nothing is."""
    if len(lines) <= MAX_LINES:
        return None
    return BadLine(
        gettext_noop("A plan has at most %(limit)s lines, and this one has %(count)s."),
        limit=MAX_LINES,
        count=len(lines),
    )


def exactness(condition: Condition) -> int:
    """How exact a condition is: 0 for a move with ranks, up to 7 for `any`."""
    if condition.text == Word.ANY:
        return 7
    if condition.text == Word.QUIET:
        return 6
    return 3 * condition.is_strike + exactness_of_seen(condition.seen)


def exactness_of_seen(seen: Seen | None) -> int:
    """How exactly it is said what a battle shows: 0 for ranks, 1 for a sign, 2 for nothing."""
    if seen is None:
        return 2
    return 0 if seen.ranks else 1


def _tree(lines: Sequence[Line], *, newer_wins: bool) -> tuple[Level, tuple[Clash, ...]]:
    tree: Level = {}
    clashes = []
    for place, line in enumerate(lines):
        clash = None if newer_wins else _clash(tree, line, place)
        if clash:
            clashes.append(clash)
        else:
            _insert(tree, line, place)
    return tree, tuple(clashes)


def _clash(level: Level, line: Line, place: int) -> Clash | None:
    for step in line.steps:
        branch = level.get(step.condition)
        if branch is None:
            return None
        if branch.answer != step.answer:
            return Clash(
                branch.place,
                place,
                BadLine(
                    gettext_noop(
                        "After “%(condition)s” another line answers %(earlier)s, and this one "
                        "%(later)s; keep one of the two."
                    ),
                    condition=str(step.condition),
                    earlier=branch.answer,
                    later=step.answer,
                ),
            )
        level = branch.after.get(step.seen, {})
    return None


def _insert(level: Level, line: Line, place: int) -> None:
    for number, step in enumerate(line.steps, 1):
        branch = level.setdefault(step.condition, _Branch(step.answer, place))
        if branch.answer != step.answer:
            branch.answer, branch.place, branch.after = step.answer, place, {}
        if number < len(line.steps):
            level = branch.after.setdefault(step.seen, {})


def _by_exactness(level: Level) -> Iterator[tuple[Step, ...]]:
    for condition, branch in sorted(level.items(), key=lambda item: exactness(item[0])):
        if not branch.after:
            yield (Step(condition, branch.answer),)
        for seen in sorted(branch.after, key=exactness_of_seen):
            for rest in _by_exactness(branch.after[seen]):
                yield (Step(condition, branch.answer, seen), *rest)


def _as_given(level: Level) -> Iterator[tuple[Step, ...]]:
    for condition, branch in level.items():
        if not branch.after:
            yield (Step(condition, branch.answer),)
        for seen, below in branch.after.items():
            for rest in _as_given(below):
                yield (Step(condition, branch.answer, seen), *rest)
