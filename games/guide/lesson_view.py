"""Lesson view: an attempt at a lesson as its reader sees it, for the boards and forms of a match.

The reader sees what their side may see. What is hidden in a lesson is nobody's secret, but hidden
all the same, since to learn the game is to learn what one does not see.
"""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.guide.lessons.attempt import SEPARATOR, Attempt, State
from games.guide.lessons.lesson import Lesson
from games.play.record.snapshot import SeatedSnapshot
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe


@dataclass(frozen=True)
class LessonView(SeatedSnapshot):
    """What the reader of a lesson sees after some moves."""

    path: str
    open: bool

    @property
    def address(self) -> str:
        return self.path

    @property
    def may_move(self) -> bool:
        return self.open

    @property
    def near_seat(self) -> Seat:
        return Seat.SOUTH if self.seat is None else self.seat


def view_lesson(attempt: Attempt) -> LessonView:
    """What its reader sees of an attempt."""
    lesson = attempt.lesson
    viewpoint = Viewpoint.of(lesson.seat)
    last = len(attempt.entries) - 1
    return LessonView(
        rules=lesson.rules,
        viewpoint=viewpoint,
        sides={seat: _(lesson.rules.seat_names[seat]) for seat in Seat},
        opening=0,
        last=last,
        number=last,
        observation=observe(lesson.rules, attempt.position, viewpoint),
        entries=attempt.entries,
        seat=lesson.seat,
        path=address(lesson, attempt.played),
        open=attempt.state is State.OPEN,
    )


def address(lesson: Lesson, played: tuple[str, ...] = ()) -> str:
    """The URL path of a lesson after some moves of its reader."""
    where = [lesson.rules.family, lesson.name]
    return reverse("lesson", args=[*where, SEPARATOR.join(played)] if played else where)
