"""`manage.py serve`: runs the web server alone, where systemd or compose runs the rest."""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.environment import unsafe_settings
from config.environment.checks import TAG
from config.processes.listening import listen, listen_unix
from config.processes.start_check import require_ready
from config.processes.supervisor import Supervisor
from config.processes.up_options import check_counts
from config.processes.web_server import THREADS, serve


class Command(BaseCommand):
    help = "Runs the web server, in one process or several. SIGTERM or Ctrl-C stops it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--socket", type=Path, help="a Unix socket, instead of host and port")
        parser.add_argument("--processes", type=int, default=1)
        parser.add_argument("--threads", type=int, default=THREADS, help="of each process")

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        socket: Path | None,
        processes: int,
        threads: int,
        **options: Any,
    ) -> None:
        check_counts({"--processes": processes, "--threads": threads})
        if settings.DEMO and not socket and (sentence := unsafe_settings.why_no_demo(host)):
            raise CommandError(sentence)
        self.check(tags=[TAG])
        try:
            require_ready()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        connection.close()
        # Loaded once, before the processes fork.
        from config.web.wsgi import application

        behind_proxy = bool(settings.ALLAUTH_TRUSTED_PROXY_COUNT)

        def work() -> None:
            serve(application, listener, threads=threads, behind_proxy=behind_proxy)

        with closing(listen_unix(socket) if socket else listen(host, port)) as listener:
            self.say(f"Serving at {socket or f'{host}:{port}'}.")
            if processes == 1:
                work()
            else:
                self.supervise(processes, work, listener)
        self.say("Stopped.")

    def supervise(self, processes: int, work: Any, listener: Any) -> None:
        with Supervisor() as supervisor:

            def work_for_parent() -> None:
                supervisor.end_with_parent(os.getpid())
                work()

            for number in range(1, processes + 1):
                supervisor.start(f"web process {number}", work_for_parent)
            supervisor.run()
            # Before the processes stop: while it is open here, connections that nobody will accept
            # could still be made.
            listener.close()

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
