"""The processes of `manage.py up`: web server, mail listener, workers with beat, house worker."""

import os
import socket
import warnings
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

from config.processes.supervisor import Supervisor

WORKER_THREADS = 2  # while one sends e-mails, the other handles deadlines
HOUSE_THREADS = 1  # house opponents think one at a time in a process


def web(supervisor: Supervisor, listener: socket.socket) -> None:
    """Run the web server on a listening socket."""
    from config.processes.web_server import serve
    from config.web.wsgi import application

    supervisor.end_with_parent(os.getpid())
    serve(application, listener, behind_proxy=bool(settings.ALLAUTH_TRUSTED_PROXY_COUNT))


def mail(supervisor: Supervisor, listener: socket.socket, *, is_lmtp: bool) -> None:
    """Run the mail listener on a listening socket."""
    from games.mail.inbound.listener import serve

    supervisor.end_with_parent(os.getpid())
    serve(listener, is_lmtp=is_lmtp)


def worker(supervisor: Supervisor, number: int) -> None:
    """Run Celery worker number `number` with two threads; number 1 also runs beat in a thread."""
    from celery.beat import EmbeddedService

    from config.celery import app

    if number == 1:
        beat = EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler)
        worker_ready.connect(lambda **_: beat.start(), weak=False)
        worker_shutting_down.connect(lambda **_: beat.service.stop(), weak=False)
    _work(supervisor, app, f"worker{number}", WORKER_THREADS, app.conf.task_default_queue)


def house(supervisor: Supervisor) -> None:
    """Run the Celery worker of house opponents, which consumes no other queue."""
    from config.celery import app

    _work(supervisor, app, "house", HOUSE_THREADS, settings.HOUSE_QUEUE)


def _work(supervisor: Supervisor, app: Any, name: str, threads: int, queue: str) -> None:
    from celery.exceptions import SecurityWarning

    supervisor.end_with_parent(os.getpid())
    # Celery warns against running as root because of pickled messages; ours are JSON.
    warnings.simplefilter("ignore", SecurityWarning)
    process = app.Worker(
        pool="threads",
        concurrency=threads,
        queues=[queue],
        hostname=f"{name}@{socket.gethostname()}",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    process.start()
    raise SystemExit(process.exitcode)
