"""Without a broker, a worker runs beat's schedule itself."""

import pytest
from celery import Celery

from config.processes.beat_fallback import run_due_tasks

HOUR = 3600.0
YEAR = 365 * 24 * HOUR


@pytest.fixture
def ran() -> list[str]:
    """The tasks that were run, by name."""
    return []


@pytest.fixture
def app(ran: list[str]) -> Celery:
    app = Celery("fallback", set_as_current=False)
    app.conf.beat_schedule = {
        "often": {"task": "often", "schedule": 15.0},
        "broken": {"task": "broken", "schedule": 15.0},
        "rarely": {"task": "rarely", "schedule": HOUR},
    }

    @app.task(name="often", shared=False)  # type: ignore[untyped-decorator]
    def often() -> None:
        ran.append("often")

    @app.task(name="broken", shared=False)  # type: ignore[untyped-decorator]
    def broken() -> None:
        ran.append("broken")
        raise ValueError

    @app.task(name="rarely", shared=False)  # type: ignore[untyped-decorator]
    def rarely() -> None:
        ran.append("rarely")

    return app


@pytest.mark.parametrize("booted", [0.0, 60.0, YEAR], ids=["just now", "a minute ago", "long ago"])
def test_a_task_is_due_at_once_and_then_by_its_schedule(
    app: Celery, ran: list[str], booted: float
) -> None:
    last_runs: dict[str, float] = {}
    for seconds, due in [
        (0, ["often", "broken", "rarely"]),
        (10, []),
        (15, ["often", "broken"]),
        (HOUR - 1, ["often", "broken"]),
        (HOUR, ["rarely"]),
    ]:
        ran.clear()
        run_due_tasks(app, last_runs, booted + seconds)
        assert ran == due, f"after {seconds} s"
