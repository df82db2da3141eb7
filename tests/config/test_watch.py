"""Without a broker, a worker runs the timetable itself."""

import pytest
from celery import Celery

from config import watch


@pytest.fixture
def app() -> Celery:
    app = Celery("watched", set_as_current=False)
    app.conf.beat_schedule = {
        "often": {"task": "often", "schedule": 0.0},
        "broken": {"task": "broken", "schedule": 0.0},
        "rarely": {"task": "rarely", "schedule": 3600.0},
    }
    return app


def test_what_is_due_runs_and_a_failure_stops_nothing(app: Celery) -> None:
    ran: list[str] = []

    @app.task(name="broken")
    def broken() -> None:
        raise ValueError

    @app.task(name="often")
    def often() -> None:
        ran.append("often")

    @app.task(name="rarely")
    def rarely() -> None:
        ran.append("rarely")

    done: dict[str, float] = {}
    watch.keep(app, done)
    watch.keep(app, done)
    assert ran == ["often", "rarely", "often"]
    assert set(done) == {"often", "broken", "rarely"}
