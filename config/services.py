"""The processes of `manage.py up`: gunicorn, and a Celery worker with beat."""

import os
import warnings
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.core.wsgi import get_wsgi_application

from config.supervisor import Supervisor

WEB_THREADS = 4
WORKER_THREADS = 2  # e-mails on one thread leave the other to the deadlines


def web(supervisor: Supervisor, socket: int) -> None:
    """Gunicorn, one process of four threads, on a socket that is listening already."""
    from gunicorn.app.base import BaseApplication

    def tie(_worker: Any) -> None:
        supervisor.end_with_parent(os.getppid())

    class Web(BaseApplication):
        def load_config(self) -> None:
            options = {
                "bind": f"fd://{socket}",
                "worker_class": "gthread",
                "threads": WEB_THREADS,
                "graceful_timeout": 5,
                "loglevel": "warning",
                "control_socket_disable": True,
                "post_worker_init": tie,
            }
            for name, value in options.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            return get_wsgi_application()

    Web().run()


def worker(supervisor: Supervisor) -> None:
    """A Celery worker of two threads, and beat in a third."""
    from celery.beat import EmbeddedService
    from celery.exceptions import SecurityWarning

    from config.celery import app

    beat = EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler)
    worker_ready.connect(lambda **_: beat.start(), weak=False)
    worker_shutting_down.connect(lambda **_: beat.service.stop(), weak=False)
    supervisor.end_with_parent(os.getpid())
    # It warns of running as root for what pickled messages could do; ours are JSON.
    warnings.simplefilter("ignore", SecurityWarning)
    process = app.Worker(
        pool="threads",
        concurrency=WORKER_THREADS,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    process.start()
    raise SystemExit(process.exitcode)
