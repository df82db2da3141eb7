"""A task for a real worker: it writes into a file when it ran."""

import time
from pathlib import Path

from celery import shared_task


@shared_task
def note(path: str, what: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{what} {time.time()}\n")


@shared_task
def occupy(seconds: float) -> None:
    time.sleep(seconds)
