"""The victim's plans: those that answer in a story of such a kind, and idle ones in all others.

In a story that is planned, the victim's plan of every world answers a turn of the opponent with the
next move of the story, at once or after a while, or is dropped; its lines are others in each world.
In one by plan or by hand, the first world's plan answers at the instant at which the other worlds'
victims move.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING
from unittest.mock import patch

from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.plan_language.reading import read_lines
from games.play.commands import moves
from games.play.commands.plans import answering, saving
from games.play.commands.plans.refusing import BadPlan
from games.play.models.match import Player, Status
from games.play.models.plan import Plan, PlanRow, PlanState, Wait
from games.play.record.match_view import MatchView
from games.play.record.sealed import plans
from games.play.record.sealed.plans import Contents
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move
from lib import log_context
from tests.secrecy import between

if TYPE_CHECKING:
    from tests.secrecy.worlds import World

PLANNED, EITHER = "planned", "by plan or by hand"
ANSWER_PLANS = "games.play.tasks.answer_plans"
SQUARE = re.compile("[a-w][0-9]{1,2}")
CAUSE = "0123456789abcdef"  # of what follows a move by plan or by hand; by nature it is random


def before(world: World, number: int, seat: Seat) -> None:
    """Before a move of the opponent in such a story: the victim plans."""
    if not _is_planned(world, number, seat):
        return
    with world.act("the victim plans", moves=False):
        # Otherwise rows of earlier events are handled before an answer by plan.
        world.tasks(between.DRAIN)
        if _by_hand(world):
            return
        answer = write_move(world.game.rules, world.game.moves[number + 1])
        move = write_move(world.game.rules, world.game.moves[number])
        way = _way(world, number)
        others = _whims(world, move)
        if way == "dropped":
            _store(world, others)
            return
        first = world.whim.choice((f"if {move} then {answer}", f"otherwise {answer}"))
        _save(world, [first, *others], Wait.WHILE if way == "while" else Wait.NOW)


def in_the_act(world: World, number: int, seat: Seat) -> None:
    """In the act of the opponent's move: the turn is handled, by plan or by hand."""
    if not _is_planned(world, number, seat) or world.story.kind.plans != EITHER:
        return
    if _by_hand(world):
        text = write_move(world.game.rules, world.game.moves[number + 1])
        ply = (world.match.opening or 0) + number + 1
        with log_context.bound(request_id=CAUSE):
            moves.submit_move(world.match.pk, world.victim, text, ply)
    deliver = dispatcher.deliver

    def delivered(dispatch: Dispatch, batch: Batch) -> None:
        # An answer by plan draws keys and nonces where one by hand has drawn them before.
        world.drawn.begin(f"{world.label}/{dispatch.pk}")
        deliver(dispatch, batch)

    with (
        patch.object(answering, "new_cause", lambda: CAUSE),
        patch.object(dispatcher, "deliver", delivered),
    ):
        world.tasks(between.DRAIN)
    # Which of the two happened is in the host's logs.
    world.records.clear()


def after(world: World, number: int, seat: Seat) -> None:
    """After a move of the opponent in a planned story: the plan answers, at once or when due."""
    if not _is_planned(world, number, seat) or world.story.kind.plans != PLANNED:
        return
    with world.act("the turn is handled"):
        world.tasks(between.DRAIN)
    due_at = Plan.objects.filter(due_at__isnull=False).values_list("due_at", flat=True).first()
    if due_at is None:
        return
    world.instant = due_at
    with world.act("the answer is due"):
        world.tasks(ANSWER_PLANS, between.DRAIN)


def has_answered(world: World, ply: int) -> bool:
    """Whether the victim's move at this ply was played by their plan, or with the one before."""
    if not world.story.kind.plans or world.match.ply == ply:
        return False
    assert world.match.ply == ply + 1, "The match went differently."
    return True


def muse(world: World, seen: MatchView) -> None:
    """Before others look: the victim has another plan in each world, or none."""
    if seen.match.status != Status.RUNNING or seen.my_turn or world.story.kind.plans:
        return
    if world.whim.random() < 0.8:
        _store(world, _whims(world))


def forget(world: World) -> None:
    """After others have looked: what the victim has mused would answer, or be dropped."""
    if not world.story.kind.plans:
        with world.act("the victim forgets", moves=False):
            saving.delete_plan(world.match.pk, world.victim)


def _is_planned(world: World, number: int, seat: Seat) -> bool:
    follows = number + 1 < len(world.game.moves)
    return bool(world.story.kind.plans) and seat is not world.story.victim and follows


def _by_hand(world: World) -> bool:
    return world.story.kind.plans == EITHER and world.side > 0


def _way(world: World, number: int) -> str:
    if world.story.kind.plans == EITHER:
        return "now"
    # Every way comes in each story, in the same order in all worlds.
    return ("now", "while", "dropped")[(number // 2) % 3]


def _whims(world: World, move: str = "") -> list[str]:
    """Lines that the victim alone decides, at least one; none of them fits this move."""
    draw, squares = world.whim.choice, world.game.rules.board.squares
    lines: list[str] = []
    while len(lines) < 1 or world.whim.random() < 0.6:
        # Nobody strikes the square on which they stand, and nobody stays where they are.
        condition = f"x{_start(move)}" if move else f"x{draw(squares)}"
        one, other = world.whim.sample(squares, 2)
        if f"{one}-{other}" != move:
            condition = draw((condition, f"{one}-{other}"))
        lines.append(f"if {condition} then {draw(squares)}-{draw(squares)}")
    return lines


def _start(move: str) -> str:
    """The square from which a move starts, after a huff if there is one."""
    squares: list[str] = SQUARE.findall(move)
    return squares[move.startswith("*")]


def _store(world: World, lines: list[str]) -> None:
    """Store these lines as a plan, whether they would be accepted or not."""
    player_id = Player.objects.get(match=world.match, user=world.victim).pk
    plan_row = plans.row_of(world.match.pk, world.victim.pk)
    row = PlanRow(world.match.ply, 0, PlanState.STANDING, None, None, [])
    plans.store(player_id, row, Contents(tuple(lines)), plan_row and plan_row[1].version)


def _save(world: World, lines: list[str], wait: Wait) -> None:
    """Save these lines, or the first of them that is accepted alone."""
    match_id, victim = world.match.pk, world.victim
    for tried in (lines, *([line] for line in lines)):
        read = read_lines("\n".join(filter(None, tried)))
        with suppress(BadPlan):
            saving.save_plan(match_id, victim, world.match.ply, read.lines, wait=wait)
            return
