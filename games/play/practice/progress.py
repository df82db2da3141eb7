"""Progress: what becomes of a practice board while its match goes on."""

from collections.abc import Sequence

from games.play.models.kind import PlyKind
from games.play.practice.stored import MAX_PLIES, KeptLine, Practice, Step
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.record.snapshot import Entry
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import notation


def caught_up(view: MatchView, practice: Practice) -> Practice:
    """A practice board as of the ply shown.

    A line that began with what was really played loses these moves, and is gone if none is left.
    Another one that is kept is marked as outdated; the one on the board is cleared.
    """
    if practice.ply == view.number:
        return practice
    entries: Sequence[Entry] = ()
    if 0 < practice.ply < view.number:
        # No line is longer, so what came after that makes no difference.
        last = min(view.number, practice.ply + MAX_PLIES)
        entries = entries_from(view, practice.ply + 1, last)
    played = [entry.text for entry in entries if entry.kind == PlyKind.MOVE]
    rest = _rest(view.rules, practice.steps, played)
    kept = (_caught_up(view, line, played) for line in practice.kept)
    return practice._replace(
        ply=view.number,
        steps=rest or (),
        kept=tuple(line for line in kept if line.steps),
    )


def _caught_up(view: MatchView, line: KeptLine, played: Sequence[str]) -> KeptLine:
    if line.outdated:
        return line
    rest = _rest(view.rules, line.steps, played)
    if rest is None:
        return line._replace(outdated=True)
    return line._replace(ply=view.number, steps=rest)


def _rest(
    rules: Ruleset, steps: tuple[Step, ...], played: Sequence[str]
) -> tuple[Step, ...] | None:
    """The steps that are left of a line after these moves; None if the match left the line."""
    for step, text in zip(steps, played, strict=False):
        if _action(rules, step.text) != _action(rules, text):
            return None
    return steps[len(played) :]


def _action(rules: Ruleset, text: str) -> tuple[object, ...]:
    """A move with its battle; what archers hit depends on pieces that nobody has named."""
    done = notation.read_annotated(rules, text)
    return done.text, done.battle, done.result


def entries_from(view: MatchView, first: int, last: int) -> Sequence[Entry]:
    """The public plies from `first` to `last`, of which the view has the newest already."""
    if view.entries[0].number <= first:
        return [entry for entry in view.entries if first <= entry.number <= last]
    return match_view.entries(view.match, first, last)


def last_turns(view: MatchView, count: int) -> list[tuple[Seat, str]]:
    """The last turns of a match, at most `count`, each a seat and an annotated text."""
    if not count:
        return []
    # Plies that are no turns are few, and each is counted in the match.
    first = max((view.opening or 0) + 1, view.number - count - view.match.off_board + 1)
    entries = entries_from(view, first, view.number) if first <= view.number else ()
    turns = [
        (entry.seat, entry.text)
        for entry in entries
        if entry.kind == PlyKind.MOVE and entry.seat is not None
    ]
    return turns[-count:]
