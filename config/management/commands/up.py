"""`manage.py up`: runs web server, worker and beat with one command and no other server."""

import socket
from contextlib import suppress
from functools import partial
from io import StringIO
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.checks import TAG
from config.listening import listen
from config.prepare import prepare
from config.start_check import insist, unapplied
from config.up_options import add_options, insist_on_counts


class Command(BaseCommand):
    help = "Runs the whole service: pages, e-mails and deadlines. Ctrl-C stops it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_options(parser)

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        demo: bool,
        processes: int,
        workers: int,
        **options: Any,
    ) -> None:
        from config.supervisor import Supervisor

        insist_on_counts({"--processes": processes, "--workers": workers})
        prepare()
        self.check(tags=[TAG])
        with listen(host, port) as listener, Supervisor() as supervisor:
            self.serve(supervisor, listener, demo, processes, workers)
            self.say("Stopping ...")
        self.say("Stopped.")

    def serve(
        self, supervisor: Any, listener: socket.socket, demo: bool, processes: int, workers: int
    ) -> None:
        from config import services

        if not self.prepare(supervisor, demo):
            return
        for _number, name in named("web server", processes):
            supervisor.start(name, partial(services.web, supervisor, listener))
        status = first_page(supervisor, listener)
        if status:
            for number, name in named("worker", workers):
                supervisor.start(name, partial(services.worker, supervisor, number))
            self.greet(status, demo)
            supervisor.run()

    def prepare(self, supervisor: Any, demo: bool) -> bool:
        """Migrate, and fill the demo; whether that was done and no signal said stop."""
        if unapplied():
            self.say("Preparing the database ...")
            if not supervisor.finish(make_tables):
                return False
        try:
            insist()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        return not demo or supervisor.finish(lambda: call_command("demo", stdout=StringIO()))

    def greet(self, status: bytes, demo: bool) -> None:
        if status[-3:] >= b"500":
            self.say("The first page fails; the lines above should say why.")
            return
        self.say(f"Estafette answers at {settings.SITE_URL}/ and stops with Ctrl-C.")
        if demo:
            from config.management.commands.demo import PASSWORD, PLAYERS, STAFF

            players = ", ".join(PLAYERS)
            self.say(f"Log in as {players} or {STAFF} (staff); the password is {PASSWORD}.")

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def named(service: str, count: int) -> list[tuple[int, str]]:
    """The processes of a service with their numbers; one alone needs none in its name."""
    return [(each, f"{service} {each}" if count > 1 else service) for each in range(1, count + 1)]


def make_tables() -> None:
    call_command("migrate", interactive=False, verbosity=0)


def first_page(supervisor: Any, listener: socket.socket) -> bytes:
    """Wait for the first page; the start of its status line, or nothing if a signal said stop."""
    while True:
        with socket.create_connection(listener.getsockname()[:2]) as page:
            page.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            if not supervisor.run(until=page.fileno()):
                return b""
            # A web server that dies over it leaves no answer, and is started again.
            with suppress(ConnectionError):
                if status := page.recv(12):
                    return status
