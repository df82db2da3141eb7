"""URLs of the lessons; each is there before the first move and after some."""

from django.urls import path

from games.guide import lesson_pages

LESSON = "<slug:family>/<slug:name>/"
LATER = LESSON + "<played:played>/"

urlpatterns = [
    path("", lesson_pages.index, name="lessons"),
    path("first-steps/", lesson_pages.put_away_first_steps, name="put_away_first_steps"),
    path("hints/<number:match_id>/end/", lesson_pages.end_guidance, name="end_guidance"),
    path(LESSON, lesson_pages.lesson, name="lesson"),
    path(LATER, lesson_pages.lesson, name="lesson"),
    path(LESSON + "move/", lesson_pages.move, name="lesson_move"),
    path(LATER + "move/", lesson_pages.move, name="lesson_move"),
    path(LESSON + "prepare/", lesson_pages.prepare, name="lesson_prepare"),
    path(LATER + "prepare/", lesson_pages.prepare, name="lesson_prepare"),
]
