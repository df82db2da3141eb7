"""Progress in the lessons: which ones a user has completed, stored in the user's row.

Every page loads that row anyway, and there are only a dozen lessons.
"""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from accounts.models import User
from games.guide.lessons.lesson import Lesson
from games.guide.lessons.registry import lessons_of


def note_done(user: User | AnonymousUser, lesson: Lesson) -> None:
    """Store that the user has completed a lesson; for visitors nothing is stored."""
    if not user.is_authenticated or is_done(user, lesson):
        return
    with transaction.atomic():
        row = User.objects.select_for_update().only("lessons").get(pk=user.pk)
        row.lessons = sorted({*row.lessons, lesson.key})
        row.save(update_fields=["lessons"])
    user.lessons = row.lessons


def is_done(user: User | AnonymousUser, lesson: Lesson) -> bool:
    """Whether the user has completed this lesson."""
    return user.is_authenticated and lesson.key in user.lessons


def next_lesson(user: User | AnonymousUser, family: str) -> Lesson | None:
    """The first lesson of a game that the user has not completed; else the first one."""
    lessons = lessons_of(family)
    return next((one for one in lessons if not is_done(user, one)), next(iter(lessons), None))


def has_learnt_one(user: User, families: Iterable[str]) -> bool:
    """Whether the user has completed all lessons of at least one game."""
    return any(
        lessons and all(is_done(user, lesson) for lesson in lessons)
        for lessons in map(lessons_of, families)
    )
