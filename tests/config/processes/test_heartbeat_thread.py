"""The heartbeat of a real worker continues while all its slots are busy."""

from collections.abc import Callable

import pytest

from games.play.models.time import Heartbeat
from tests.servers import wait_for
from tests.stack import Stack

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.config.settings"}
# More than it has slots, and for longer than the test takes.
OCCUPY = """
from tests.config.tasks import occupy
for _ in range(8): occupy.delay(100)
"""


@pytest.mark.soak
@pytest.mark.servers
def test_a_worker_whose_slots_are_all_taken_beats_on(stack: Callable[..., Stack]) -> None:
    service = stack(web=0, beat=0, extra=SETTINGS)
    service.shell(OCCUPY)

    def beats() -> list[tuple[object, ...]]:
        return service.ask(Heartbeat.objects.values_list("last_beat_at"))

    first = wait_for(beats, "a first heartbeat", 60)
    wait_for(lambda: beats() != first, "another one", 60)
    # So that the test does not wait for the worker.
    service.kill("worker1")
