"""`manage.py up`: runs web server, worker and beat with one command and no other server."""

import socket
from contextlib import ExitStack, suppress
from functools import partial
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
from config.processes.start_check import insist, unapplied, unreachable
from config.processes.up_options import add_options, insist_on_counts


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

        insist_on_counts({"--processes": processes, "--workers": workers})
        # All this before anything is made or migrated.
        if settings.DEMO and (sentence := unsafe_settings.why_no_demo(host)):
            raise CommandError(sentence)
        if sentence := next(unsafe_settings.errors(), ""):
            raise CommandError(sentence)
        if demo:
            insist_on_a_database_for_the_demo()
        prepare()
        self.check(tags=[TAG])
        with ExitStack() as open_sockets:
            listener = open_sockets.enter_context(listen(host, port))
            self.door = self.open_door(open_sockets)
            supervisor = open_sockets.enter_context(Supervisor())
            self.serve(supervisor, listener, demo, processes, workers)
            self.say("Stopping ...")
        self.say("Stopped.")

    def open_door(self, open_sockets: ExitStack) -> tuple[Any, socket.socket] | None:
        """Where mail is listened for, and the socket; None if nowhere."""
        from games.mail.inbound import listener_address

        if not settings.MAIL_LISTEN:
            return None
        place = listener_address.parse(settings.MAIL_LISTEN)
        try:
            return place, open_sockets.enter_context(listener_address.listen(place))
        except OSError as error:
            sentence = f"{place} is not to be had: {error.strerror}."
            if not settings.DEMO:
                raise CommandError(sentence) from None
            # A newcomer can do without; and what does not listen must not stop the clocks.
            self.say(f"{sentence} Answers to the e-mails are taken on the pages alone.")
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
            if self.door is not None:
                place, door = self.door
                serve_mail = partial(services.mail, supervisor, door, is_lmtp=place.is_lmtp)
                supervisor.start("listener for mail", serve_mail)
            for number, name in named("worker", workers):
                supervisor.start(name, partial(services.worker, supervisor, number))
            supervisor.start("worker of the house", partial(services.house, supervisor))
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
        if not demo:
            return True
        insist_on_a_database_for_the_demo()
        return bool(supervisor.finish(lambda: call_command("demo", stdout=StringIO())))

    def greet(self, status: bytes, demo: bool) -> None:
        if status[-3:] >= b"500":
            self.say("The first page fails; the lines above should say why.")
            return
        self.say(f"Estafette answers at {settings.SITE_URL}/ and stops with Ctrl-C.")
        if demo:
            from config.management.commands.demo import PASSWORD, PLAYERS, STAFF

            players = ", ".join(PLAYERS)
            self.say(f"Log in as {players} or {STAFF} (staff); the password is {PASSWORD}.")
        self.tell_of_mail(demo)

    def tell_of_mail(self, demo: bool) -> None:
        """Where answers to e-mails are taken, and in the demo one that plays a move."""
        if self.door is None:
            return
        place, _socket = self.door
        self.say(f"Answers to the e-mails are taken at {place}.")
        if not demo or place.is_lmtp:
            return
        from games.mail.inbound.curl_example import curl_example

        if line := curl_example(str(place)):
            self.say("This one plays a move, as if by e-mail:")
            self.say(f"  {line}")

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def insist_on_a_database_for_the_demo() -> None:
    """Raise CommandError where the database has users whom the demo has not made."""
    from config.management.commands.demo import why_not_in_this_database

    place = settings.DATABASES["default"]
    # To ask SQLite would make the file.
    if place["ENGINE"].endswith("sqlite3") and not Path(place["NAME"]).exists():
        return
    try:
        sentence = why_not_in_this_database()
    except DatabaseError as error:
        raise CommandError(str(unreachable(error))) from None
    if sentence:
        raise CommandError(sentence)


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
