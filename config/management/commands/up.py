"""`manage.py up`: runs web server, worker and beat with one command and no other server."""

import socket
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.utils import DatabaseError

from config.environment import unsafe_settings
from config.environment.checks import TAG
from config.keys.prepare import prepare
from config.processes.listening import listen
from config.processes.start_check import require_ready, unapplied, unreachable
from config.processes.up_options import add_options, check_counts


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
        from config.processes.supervisor import Supervisor

        check_counts({"--processes": processes, "--workers": workers})
        # All of this before anything is created or migrated.
        if settings.DEMO and (sentence := unsafe_settings.why_no_demo(host)):
            raise CommandError(sentence)
        if sentence := next(unsafe_settings.errors(), ""):
            raise CommandError(sentence)
        if demo:
            require_demo_database()
        prepare()
        self.check(tags=[TAG])
        with ExitStack() as open_sockets:
            listener = open_sockets.enter_context(listen(host, port))
            self.mail_socket = self.open_mail_socket(open_sockets)
            supervisor = open_sockets.enter_context(Supervisor())
            self.serve(supervisor, listener, demo, processes, workers)
            # Before the processes stop: while it is open here, connections that nobody will accept
            # could still be made.
            listener.close()
            self.say("Stopping ...")
        self.say("Stopped.")

    def open_mail_socket(self, open_sockets: ExitStack) -> tuple[Any, socket.socket] | None:
        """Address and socket that listen for mail; None without MAIL_LISTEN."""
        from games.mail.inbound import listener_address

        if not settings.MAIL_LISTEN:
            return None
        place = listener_address.parse(settings.MAIL_LISTEN)
        try:
            return place, open_sockets.enter_context(listener_address.listen(place))
        except OSError as error:
            sentence = f"{place} cannot be used: {error.strerror or error}."
            if not settings.DEMO:
                raise CommandError(sentence) from None
            # The demo works without. MAIL_LISTEN is cleared since a missing listener would count
            # as an outage and stop the clocks.
            self.say(f"{sentence} E-mails can be answered on the site only.")
            settings.MAIL_LISTEN = ""
            return None

    def serve(
        self, supervisor: Any, listener: socket.socket, demo: bool, processes: int, workers: int
    ) -> None:
        from config.processes import services

        if not self.prepare(supervisor, demo):
            return
        for _number, name in named("web server", processes):
            supervisor.start(name, partial(services.web, supervisor, listener))
        status = first_page(supervisor, listener)
        if status:
            if self.mail_socket is not None:
                place, mail_listener = self.mail_socket
                serve_mail = partial(
                    services.mail, supervisor, mail_listener, is_lmtp=place.is_lmtp
                )
                supervisor.start("listener for mail", serve_mail)
            for number, name in named("worker", workers):
                supervisor.start(name, partial(services.worker, supervisor, number))
            supervisor.start("worker of the house", partial(services.house, supervisor))
            self.greet(status, demo)
            supervisor.run()

    def prepare(self, supervisor: Any, demo: bool) -> bool:
        """Migrate and fill the demo; False if that failed or a signal stopped it."""
        if unapplied():
            self.say("Preparing the database ...")
            if not supervisor.finish(make_tables, meanwhile=load_pages):
                return False
        try:
            require_ready()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        if not demo:
            return True
        require_demo_database()
        fill = partial(call_command, "demo", stdout=StringIO())
        return bool(supervisor.finish(fill, meanwhile=load_pages))

    def greet(self, status: bytes, demo: bool) -> None:
        if status[-3:] >= b"500":
            self.say("The first page fails; the lines above should say why.")
            return
        self.say(f"Estafette answers at {settings.SITE_URL}/ and stops with Ctrl-C.")
        if demo:
            from config.management.commands.demo import PASSWORD, PLAYERS, STAFF

            players = ", ".join(PLAYERS)
            self.say(f"Log in as {players} or {STAFF} (staff); the password is {PASSWORD}.")
        self.print_mail_address(demo)

    def print_mail_address(self, demo: bool) -> None:
        """Print where e-mails can be answered, and in the demo a command that plays a move."""
        if self.mail_socket is None:
            return
        place, _socket = self.mail_socket
        self.say(f"Answers to e-mails are accepted at {place}.")
        if not demo or place.is_lmtp:
            return
        from games.mail.inbound.curl_example import curl_example

        if line := curl_example(str(place)):
            self.say("This command plays a move as an e-mail would:")
            self.say(f"  {line}")

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def require_demo_database() -> None:
    """Raise CommandError if the database has users that the demo did not create."""
    from config.management.commands.demo import why_not_in_this_database

    place = settings.DATABASES["default"]
    # A query would create SQLite's file.
    if place["ENGINE"].endswith("sqlite3") and not Path(place["NAME"]).exists():
        return
    try:
        sentence = why_not_in_this_database()
    except DatabaseError as error:
        raise CommandError(str(unreachable(error))) from None
    if sentence:
        raise CommandError(sentence)


def named(service: str, count: int) -> list[tuple[int, str]]:
    """Numbers and names of a service's processes; a single one has no number in its name."""
    return [(each, f"{service} {each}" if count > 1 else service) for each in range(1, count + 1)]


def load_pages() -> None:
    """Load the code of all pages, so that the web server, a fork of this process, has it."""
    import_module(settings.ROOT_URLCONF)


def make_tables() -> None:
    call_command("migrate", interactive=False, verbosity=0)


def first_page(supervisor: Any, listener: socket.socket) -> bytes:
    """Wait for the first page; returns the start of its status line, b"" if a signal stopped it."""
    while True:
        with socket.create_connection(listener.getsockname()[:2]) as page:
            page.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            if not supervisor.run(until=page.fileno()):
                return b""
            # A web server that dies before it answers is restarted.
            with suppress(ConnectionError):
                if status := page.recv(12):
                    return status
