"""Lesson view: an attempt at a lesson as a snapshot, shown by the boards and forms of a match.

The reader sees only what their side may see, although a lesson has no secrets: hidden information
is part of the game to learn.
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
    """A lesson after some moves, from the viewpoint of its reader."""

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
    """The view of an attempt."""
    lesson = attempt.lesson
    viewpoint = Viewpoint.of_seat(lesson.seat)
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
    """The URL path of a lesson after the reader's moves."""
    args = [lesson.rules.family, lesson.name]
    return reverse("lesson", args=[*args, SEPARATOR.join(played)] if played else args)
