"""Attempt at a lesson: the position after the reader's moves and the replies of the other side.

Nothing is stored: each page replays the moves in its URL, so "back" in the browser takes back a
move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from games.guide.lessons.lesson import Goal, Lesson
from games.play.models.kind import PlyKind
from games.play.record.snapshot import Entry
from games.presentation import rule_queries
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import NotYourTurn, gettext_noop
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.imagined_positions import Imagined
from games.rules.core.observation import observe, witness
from games.rules.core.text import notation

SEPARATOR = "."  # of moves in a URL; no move contains it
OPENED = Entry(0, None, PlyKind.BEGIN, "")


class State(StrEnum):
    """The state of an attempt."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class Attempt:
    """A lesson with the moves played so far. `repr` omits the position."""

    lesson: Lesson
    position: Imagined
    played: tuple[str, ...] = ()  # the reader's moves
    entries: tuple[Entry, ...] = (OPENED,)  # the moves of both sides, as in a public record

    def __repr__(self) -> str:
        return f"<Attempt {self.lesson.key} {SEPARATOR.join(self.played)}>"

    @property
    def state(self) -> State:
        if _reached(self, self.lesson.goal):
            return State.DONE
        over = self.position.outcome is not None or len(self.played) >= self.lesson.turns
        seen = observe(self.lesson.rules, self.position, Viewpoint.of_seat(self.lesson.seat)).pieces
        own = {piece.rank for piece in seen.values() if piece.seat is self.lesson.seat}
        return State.FAILED if over or not own.issuperset(self.lesson.needs) else State.OPEN

    def play(self, text: str) -> Attempt:
        """The attempt after a move of the reader and the reply; raises Refusal."""
        lesson, rules = self.lesson, self.lesson.rules
        if self.state is not State.OPEN:
            raise NotYourTurn(
                gettext_noop("This lesson is finished. Start it again to keep playing.")
            )
        move = notation.read_move(rules, self.position, lesson.seat, text)
        after = self._after(lesson.seat, move)
        after = replace(after, played=(*self.played, notation.write_move(rules, move)))
        if after.position.outcome or _reached(after, lesson.goal):
            return after
        return after._after(lesson.seat.other, _reply(after))

    def _after(self, seat: Seat, move: Move) -> Attempt:
        rules = self.lesson.rules
        position, events = rules.apply(self.position, seat, move)
        text = notation.annotate(rules, move, witness(events, Viewpoint.GALLERY))
        entry = Entry(len(self.entries), seat, PlyKind.MOVE, text)
        return replace(self, position=position, entries=(*self.entries, entry))


def begin(lesson: Lesson) -> Attempt:
    """A lesson before its first move."""
    return Attempt(lesson, rule_queries.position(lesson.rules, lesson.pieces, lesson.seat))


def replay(lesson: Lesson, played: Iterable[str]) -> Attempt:
    """A lesson after these moves of the reader; raises Refusal."""
    attempt = begin(lesson)
    for text in played:
        attempt = attempt.play(text)
    return attempt


def _reply(attempt: Attempt) -> Move:
    """The other side's move; deterministic for a position."""
    lesson, rules = attempt.lesson, attempt.lesson.rules
    legal = {
        notation.write_move(rules, move): move
        for move in rules.legal_moves(attempt.position, lesson.seat.other)
    }
    captures = sorted(text for text in legal if "x" in text)
    if lesson.captures_first and captures:
        return legal[max(captures, key=len)]
    preferred = (text for text in lesson.replies if text in legal)
    quiet = sorted(text for text in legal if "x" not in text)
    return legal[next(preferred, (quiet or captures)[0])]


def _reached(attempt: Attempt, goal: Goal) -> bool:
    """Whether an attempt has reached its goal."""
    lesson, outcome = attempt.lesson, attempt.position.outcome
    if goal.victory and (outcome is None or outcome.winner is not lesson.seat):
        return False
    actions = [
        (entry.seat, notation.read_annotated(lesson.rules, entry.text))
        for entry in attempt.entries[1:]
    ]
    battles = {action.battle for seat, action in actions if seat is lesson.seat}
    shot = sum(removed for _seat, action in actions for _square, removed in action.volley)
    if not battles.issuperset(goal.battles) or shot < goal.shot:
        return False
    if goal.standing == 0:
        return True
    if attempt.entries[-1].seat is lesson.seat and outcome is None:
        return False  # The pieces must still be there after the reply.
    pieces = observe(lesson.rules, attempt.position, Viewpoint.of_seat(lesson.seat)).pieces
    occupied = [square for square in goal.squares if square in pieces]
    return sum(pieces[square].seat is lesson.seat for square in occupied) >= goal.standing
