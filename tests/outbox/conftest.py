from typing import Any

import pytest


@pytest.fixture(autouse=True)
def handlers_for_tests(settings: Any) -> None:
    settings.OUTBOX_HANDLERS = "tests.outbox.handlers.HANDLERS"
    settings.OUTBOX_SUBSCRIBERS = "tests.outbox.handlers.SUBSCRIBERS"
