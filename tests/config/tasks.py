"""Tasks for a real worker to run: each writes into a file what it did, a line at a time."""

import time
from pathlib import Path

from celery import shared_task


@shared_task
def note(path: str, what: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{what} {time.time()}\n")


@shared_task
def work(path: str, seconds: float) -> None:
    note(path, "begun")
    time.sleep(seconds)
    note(path, "done")
