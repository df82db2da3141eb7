"""Entering a plan: its text is read, spelled as in the game, checked and merged.

* `enter(rules, observation, text, own_move="") -> Entered`: a whole field.
* `enter_lines(rules, observation, numbered, older=(), own_move="") -> Entered`: lines of a message,
  added to those stored.

Both raise the Refusal of the rules if `own_move` cannot be played, and nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.plan_language.faults import BadLine, Fault, listed
from games.plan_language.lines import Line
from games.plan_language.reading import NumberedLine, read_lines
from games.play.plans.checking import check
from games.play.plans.game_spelling import in_game
from games.play.plans.merging import add, limit_fault
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset


@dataclass(frozen=True, repr=False)
class Entered:
    """The merged lines to be stored, none if there is any fault; and the faults, by line."""

    lines: tuple[Line, ...]
    faults: tuple[Fault, ...] = ()

    def __repr__(self) -> str:
        return f"<Entered lines={len(self.lines)} faults={len(self.faults)}>"


def enter(rules: Ruleset, observation: Observation, text: str, own_move: str = "") -> Entered:
    """The plan of a text, for the board that its owner observes.

    With `own_move` the observation is that of the board before this move, and the plan counts
    after it.
    """
    read = read_lines(text)
    entered = enter_lines(rules, observation, read.lines, own_move=own_move)
    return _with_faults(entered, read.faults)


def enter_lines(
    rules: Ruleset,
    observation: Observation,
    numbered: Sequence[NumberedLine],
    older: Sequence[Line] = (),
    own_move: str = "",
) -> Entered:
    """The plan of `older` lines, which are stored already, with more lines.

    A new line replaces an older one that answers the same condition in another way.
    """
    seat = observation.viewpoint.seat
    if seat is None:
        raise ValueError("Only players have plans.")
    numbers, lines, faults = [], [], []
    for number, line in numbered:
        try:
            lines.append(in_game(rules, line, seat))
            numbers.append(number)
        except BadLine as bad:
            faults.append(Fault(number, bad))
    merged = add(older, lines)
    clashing = {clash.later: clash.bad for clash in merged.clashes}
    faults += [Fault(numbers[place], bad) for place, bad in clashing.items()]
    if too_many := limit_fault(merged.lines):
        faults.append(Fault(0, too_many))
    # So no more lines are checked on the board than a plan may have.
    counted = [place for place in range(len(lines)) if place not in clashing and not too_many]
    checked = check(rules, observation, [lines[place] for place in counted], own_move)
    faults += [
        Fault(numbers[place], bad) for place, bad in zip(counted, checked, strict=False) if bad
    ]
    return _with_faults(Entered(merged.lines), faults, more=len(checked) < len(counted))


def _with_faults(entered: Entered, faults: Sequence[Fault], *, more: bool = False) -> Entered:
    all_faults = listed((*entered.faults, *faults), more=more)
    return Entered((), all_faults) if all_faults else entered
