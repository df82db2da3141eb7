"""Lines of a plan as they are entered: merged with those that stand, and checked."""

from collections.abc import Sequence

from games.plan_language.faults import Fault
from games.plan_language.lines import Line
from games.plan_language.reading import NumberedLine, read_line
from games.play.commands.plans.refusing import BadPlan
from games.play.plans.merging import add, limit_fault
from games.play.record.match_view import MatchView


def merged(
    view: MatchView, older: Sequence[str], lines: Sequence[NumberedLine], move: str
) -> tuple[Line, ...]:
    """The lines of a plan in the order in which they are tried; raises BadPlan with all faults.

    `older` are the lines that stand and to which the new ones are added. `move` is the reader's own
    move before them, "" for none. All is checked by the reader's own view.
    """
    result = add(tuple(map(read_line, older)), [each.line for each in lines])
    faults = [Fault(lines[clash.later].number, clash.bad) for clash in result.clashes]
    if not faults and (too_many := limit_fault(result.lines)):
        faults = [Fault(0, too_many)]
    if faults:
        raise BadPlan(faults)
    return result.lines
