"""Concurrent actions, each with its own connection; needs the fixture `apart`."""

import threading
from collections.abc import Callable

from django.db import connection

from games.rules.core.basics.refusals import Refusal


def at_once(*actions: Callable[[], object]) -> list[object]:
    """What each action returned, or its refusal; other exceptions are raised."""
    start = threading.Barrier(len(actions))
    outcomes: list[object] = [None] * len(actions)

    def run(number: int, action: Callable[[], object]) -> None:
        try:
            connection.ensure_connection()
            start.wait()
            outcomes[number] = action()
        except Exception as error:
            outcomes[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for outcome in outcomes:
        if isinstance(outcome, Exception) and not isinstance(outcome, Refusal):
            raise outcome
    return outcomes
