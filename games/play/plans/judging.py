"""Judges which line of a plan fits a turn, by the public, annotated text of the turn alone.

* `judge(rules, lines, opponent_text) -> Judged | None`: the answer to the opponent's turn, and the
  lines that go on from it. None: no line fits.
* `after_own(rules, judged.lines, own_text) -> lines`: what is left once the answer was played, in
  the order in which it is tried next. Empty: the plan has ended.

A plan whose answer is played is stored as `after_own(rules, judge(...).lines, own_text)`. Its order
is settled by then; it is not merged again, unless its owner edits it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.plan_language.lines import Line, Seen
from games.plan_language.words import Word
from games.play.plans.fitting import fits, shows
from games.play.plans.merging import exactness_of_seen, joined
from games.rules.core.basics.refusals import UnreadableMove
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import read_annotated


@dataclass(frozen=True, repr=False)
class Judged:
    """The answer to a turn, with the signs of records, and the lines that go on with it.

    `lines` still have the condition and the answer as their first step.
    """

    answer: str
    lines: tuple[Line, ...]

    def __repr__(self) -> str:
        return f"<Judged lines={len(self.lines)}>"


def judge(rules: Ruleset, lines: Sequence[Line], opponent_text: str) -> Judged | None:
    """The answer of the first line that fits the opponent's turn; None if none fits."""
    try:
        turn = read_annotated(rules, opponent_text)
    except UnreadableMove:
        return None  # a ply that is not a move
    for line in lines:
        first = line.steps[0]
        if fits(rules, first.condition, turn):
            alike = (
                each
                for each in lines
                if (each.steps[0].condition, each.steps[0].answer)
                == (first.condition, first.answer)
            )
            return Judged(first.answer, tuple(alike))
    return None


def after_own(rules: Ruleset, lines: Sequence[Line], own_text: str) -> tuple[Line, ...]:
    """The rest of the lines after their first answer, those that what it showed allows.

    `own_text` is the annotated text of the answer. Lines that ask for ranks come first, then those
    that ask for a sign; where two would answer one condition in two ways, the first one stays.
    """
    own = read_annotated(rules, own_text)
    # A condition judges the attacker, an own attack the defender.
    enemy = own.battle[1] if own.battle else None
    going_on = [
        line
        for line in lines
        if len(line.steps) > 1 and shows(line.steps[0].seen, enemy, own.result)
    ]
    going_on.sort(key=lambda line: exactness_of_seen(line.steps[0].seen))
    rest: list[Line] = []
    decided_by: Seen | None = None
    always = False  # whether a condition above fits every turn
    for line in going_on:
        seen, steps = line.steps[0].seen, line.steps[1:]
        reached = not always or seen == decided_by or steps[0].condition.text == Word.ANY
        if reached:
            rest.append(Line(steps))
        if steps[0].condition.text == Word.ANY and not always:
            always, decided_by = True, seen
    return joined(rest)
