"""Registry of lessons by game, in the order in which they are taught."""

from games.guide.lessons import assaut, domino, lattaque, tactique
from games.guide.lessons.lesson import Lesson

_LESSONS: dict[str, tuple[Lesson, ...]] = {
    module.RULES.family: module.LESSONS for module in (lattaque, domino, tactique, assaut)
}


def lessons_of(family: str) -> tuple[Lesson, ...]:
    """The lessons of a game; empty if it has none."""
    return _LESSONS.get(family, ())


def find(family: str, name: str) -> Lesson | None:
    """The lesson with this game and name, if any."""
    return next((lesson for lesson in lessons_of(family) if lesson.name == name), None)


def all_lessons() -> tuple[Lesson, ...]:
    """The lessons of all games."""
    return tuple(lesson for lessons in _LESSONS.values() for lesson in lessons)
