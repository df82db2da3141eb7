import pytest
from celery import current_app

from tests.secrecy import chance
from tests.secrecy.scene import Scene, build
from tests.secrecy.worlds import messages


@pytest.fixture
def scene(db: None, settings) -> Scene:
    # The office has a test of its own for its second factor.
    settings.STAFF_NEEDS_MFA = False
    # Celery makes its tasks and its line to the broker when they are first needed, and says so.
    current_app.loader.import_default_modules()
    current_app.finalize()
    assert list(messages()), "A wake-up should reach the broker."
    with chance.tamed() as drawn:
        drawn.begin("scene")
        return build()
