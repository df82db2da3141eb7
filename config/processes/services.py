"""The processes of `manage.py up`: web servers, a listener for mail, workers with beat, house."""

import os
import socket
import warnings
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

from config.processes.supervisor import Supervisor

WORKER_THREADS = 2  # e-mails on one thread leave the other to the deadlines
HOUSE_THREADS = 1  # a process thinks one thought at a time


def web(supervisor: Supervisor, listener: socket.socket) -> None:
    """The web server, on a socket that is listening already."""
    from config.processes.web_server import serve
    from config.wsgi import application

    supervisor.end_with_parent(os.getpid())
    serve(application, listener, behind_proxy=bool(settings.ALLAUTH_TRUSTED_PROXY_COUNT))


def mail(supervisor: Supervisor, listener: socket.socket, *, is_lmtp: bool) -> None:
    """The listener for mail, on a socket that is listening already."""
    from games.mail.inbound.listener import serve

    supervisor.end_with_parent(os.getpid())
    serve(listener, is_lmtp=is_lmtp)


def worker(supervisor: Supervisor, number: int) -> None:
    """The Celery worker of that number, of two threads; the first has beat in a third."""
    from celery.beat import EmbeddedService

    from config.celery import app

    if number == 1:
        beat = EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler)
        worker_ready.connect(lambda **_: beat.start(), weak=False)
        worker_shutting_down.connect(lambda **_: beat.service.stop(), weak=False)
    _work(supervisor, app, f"worker{number}", WORKER_THREADS, app.conf.task_default_queue)


def house(supervisor: Supervisor) -> None:
    """The Celery worker of house opponents, which takes nothing else."""
    from config.celery import app

    _work(supervisor, app, "house", HOUSE_THREADS, settings.HOUSE_QUEUE)


def _work(supervisor: Supervisor, app: Any, name: str, threads: int, queue: str) -> None:
    from celery.exceptions import SecurityWarning

    supervisor.end_with_parent(os.getpid())
    # It warns of running as root for what pickled messages could do; ours are JSON.
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
