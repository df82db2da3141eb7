"""Checks the lines of a plan when they are entered, by what their owner sees and can imagine.

`check(rules, observation, lines, own_move="")` returns for each line what is wrong with its first
condition and its first answer, or None. It stops after MAX_FAULTS faults. The lines are in the
notation of the game (`game_spelling.in_game`); the rest of a line is judged when its time comes.

No true position comes in here, so neither an answer nor its time can tell a secret. Refused is only
what can be played in no position that the owner can imagine. For a line at most
`imagining.POSITIONS` positions are imagined, and for a plan at most `imagining.PLAN_POSITIONS`; a
line that is not settled by then is accepted.
Repetitions (the two-square rule) are not counted, since an observation does not hold them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from games.plan_language.faults import MAX_FAULTS, REASON, BadLine, gettext_noop
from games.plan_language.lines import Line, Step, strikes
from games.play.plans.fitting import fits
from games.play.plans.game_spelling import empty_board, squares_of
from games.play.plans.imagining import (
    Budget,
    Enough,
    Imagination,
    NotAsWritten,
    Turn,
    legal_as_written,
)
from games.rules.core.basics.pieces import piece
from games.rules.core.basics.refusals import AmbiguousMove, IllegalMove, Refusal
from games.rules.core.imagined_positions import Imagined
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import read_annotated, read_move, write_move


def check(
    rules: Ruleset, observation: Observation, lines: Sequence[Line], own_move: str = ""
) -> list[BadLine | None]:
    """What is wrong with each line; None for a line that may count.

    The lines behind the MAX_FAULTS-th fault are not checked, and left out.
    `observation` is the owner's, of the board on which the opponent acts. With `own_move` it is
    that of the board before this move; then a line may count if it may after any outcome of it.
    Raises the Refusal of the rules if `own_move` cannot be played.
    """
    imagination, budget = Imagination(rules, observation), Budget()
    firsts = [Step(line.steps[0].condition, line.steps[0].answer) for line in lines]
    fault_of: Callable[[Step, Budget], BadLine | None]
    if not own_move:
        fault_of = partial(_fault, imagination)
    elif rules.volleys:
        fault_of = partial(_fault_after, imagination, canonical_own_move(imagination, own_move))
    else:
        # Only volleys make it matter which squares a line is about.
        own = canonical_own_move(imagination, own_move)
        outcomes = list(imagination.after_own(own, (), budget))
        fault_of = partial(_fault_in_all, outcomes)
    bad_lines: dict[Step, BadLine | None] = {}
    checked: list[BadLine | None] = []
    faulty = 0
    for step in firsts:
        if step not in bad_lines:
            budget.begin_line()
            bad_lines[step] = fault_of(step, budget)
        checked.append(bad_lines[step])
        faulty += checked[-1] is not None
        if faulty == MAX_FAULTS:
            break
    return checked


def canonical_own_move(imagination: Imagination, text: str) -> str:
    """The canonical text of an own move, whatever its spelling; raises a Refusal."""
    position = next(imagination.positions({}, ()))
    return write_move(
        imagination.rules, read_move(imagination.rules, position, imagination.seat, text)
    )


def _fault_after(imagination: Imagination, own: str, step: Step, budget: Budget) -> BadLine | None:
    try:
        return _fault_in_all(
            imagination.after_own(own, _near(imagination, step), budget), step, budget
        )
    except Enough:
        return None


def _fault_in_all(
    outcomes: Iterable[Imagination | None], step: Step, budget: Budget
) -> BadLine | None:
    """The first fault of a step if it has one in every outcome; None if one allows it.

    A match that ends with the own move needs no plan, so that outcome says nothing.
    """
    first: BadLine | None = None
    for outcome in outcomes:
        if outcome is None:
            continue
        bad = _fault(outcome, step, budget)
        if bad is None:
            return None
        first = first or bad
    return first


def _fault(imagination: Imagination, step: Step, budget: Budget) -> BadLine | None:
    try:
        return (
            _no_enemy_there(imagination, step)
            or _hopeless_answer(imagination, step)
            or _no_such_turn(imagination, step, budget)
        )
    except Enough:
        return None


def _near(imagination: Imagination, step: Step) -> tuple[str, ...]:
    """The squares on which a step depends, the end of the answer last."""
    return (
        *squares_of(imagination.rules, step.condition.text),
        *squares_of(imagination.rules, step.answer),
    )


def _no_enemy_there(imagination: Imagination, step: Step) -> BadLine | None:
    """The fault of an exact move whose start holds no enemy piece."""
    if not step.condition.is_exact:
        return None
    start = read_annotated(imagination.rules, step.condition.text).source
    seen = imagination.observation.pieces.get(start) if start else None
    if start is None or (seen and seen.seat is imagination.seat.other):
        return None
    return BadLine(
        gettext_noop("There is no piece of your opponent's on %(square)s for %(move)s."),
        square=start,
        move=step.condition.text,
    )


def _hopeless_answer(imagination: Imagination, step: Step) -> BadLine | None:
    """The fault of an answer that the own piece could not play if all squares suited it."""
    rules = imagination.rules
    start = read_annotated(rules, step.answer).source
    seen = imagination.observation.pieces.get(start) if start else None
    if start is None or (
        imagination.changes_sides and (seen is None or seen.seat is not imagination.seat)
    ):
        return None
    if rules.jumps and seen and seen.seat is imagination.seat:
        return None  # a jump depends on more than its own squares
    try:
        legal_as_written(
            rules, _suited(imagination, step.answer, start), imagination.seat, step.answer
        )
    except Refusal as refusal:
        return _not_playable(step, refusal)
    return None


def _suited(imagination: Imagination, answer: str, start: str) -> Imagined:
    """A made-up board with what stands on the start of an answer, and an enemy on its end."""
    rules, index = imagination.rules, imagination.rules.board.index
    cells = bytearray(rules.board.blank)
    if seen := imagination.observation.pieces.get(start):
        kind = rules.kinds[seen.rank] if seen.rank else 1
        cells[index[start]] = piece(seen.seat, kind, marked=bool(seen.marks))
    end = squares_of(rules, answer)[-1]
    if strikes(answer) and end != start:
        cells[index[end]] = piece(imagination.seat.other, 1)
    return empty_board(rules, imagination.seat, bytes(cells))


def _no_such_turn(imagination: Imagination, step: Step, budget: Budget) -> BadLine | None:
    """The fault of a condition that no turn fits, or of an answer that never is legal after one."""
    rules, condition = imagination.rules, step.condition
    fitting, reason = False, None
    try:
        for turn in _turns(imagination, step, budget):
            if not fits(rules, condition, read_annotated(rules, turn.text)):
                continue
            fitting = True
            near = _near(imagination, step)
            after = imagination.hit(turn, near, budget) if imagination.is_shot_at else (turn.after,)
            for position in after:
                try:
                    legal_as_written(rules, position, imagination.seat, step.answer)
                except Refusal as refusal:
                    reason = reason or refusal
                else:
                    return None
    except IllegalMove as refusal:
        return _no_such_move(step, refusal)
    except Refusal as refusal:
        return BadLine(REASON, reason=refusal)
    if reason:
        return _not_playable(step, reason)
    if condition.is_exact and not fitting:
        return BadLine(
            gettext_noop("The battle of %(move)s cannot show %(seen)s now."),
            move=condition.text,
            seen=str(condition.seen or ""),
        )
    return None


def _turns(imagination: Imagination, step: Step, budget: Budget) -> Iterator[Turn]:
    near = _near(imagination, step)
    if step.condition.is_exact:
        return imagination.turns_of(imagination.seat.other, step.condition.text, near, budget)
    if step.condition.is_strike:
        return imagination.strikes(step.condition.square, near, budget)
    return imagination.turns(near, budget)


def _no_such_move(step: Step, refusal: Refusal) -> BadLine:
    if isinstance(refusal, NotAsWritten | AmbiguousMove):
        return BadLine(REASON, reason=refusal)
    return BadLine(
        gettext_noop("Your opponent cannot play %(move)s now, whatever the piece may be."),
        move=step.condition.text,
    )


def _not_playable(step: Step, reason: Refusal) -> BadLine:
    return BadLine(
        gettext_noop("After “%(condition)s”, %(answer)s cannot be played. %(reason)s"),
        condition=str(step.condition),
        answer=step.answer,
        reason=reason,
    )
