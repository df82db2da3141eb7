"""URLs of the lessons, each without and with moves."""

from django.urls import path

from games.guide import lesson_pages

LESSON = "<slug:family>/<slug:name>/"
LESSON_WITH_MOVES = LESSON + "<played:played>/"

urlpatterns = [
    path("", lesson_pages.index, name="lessons"),
    path("first-steps/", lesson_pages.put_away_first_steps, name="put_away_first_steps"),
    path("hints/<number:match_id>/end/", lesson_pages.end_guidance, name="end_guidance"),
    path(LESSON, lesson_pages.lesson, name="lesson"),
    path(LESSON_WITH_MOVES, lesson_pages.lesson, name="lesson"),
    path(LESSON + "move/", lesson_pages.move, name="lesson_move"),
    path(LESSON_WITH_MOVES + "move/", lesson_pages.move, name="lesson_move"),
    path(LESSON + "prepare/", lesson_pages.prepare, name="lesson_prepare"),
    path(LESSON_WITH_MOVES + "prepare/", lesson_pages.prepare, name="lesson_prepare"),
]
