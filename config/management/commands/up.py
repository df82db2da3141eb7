"""`manage.py up`: the whole service with one command and no server beside it."""

import argparse
import os
import socket
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="with people and matches to try it on")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")


def tell_settings(arguments: list[str]) -> None:
    """Put into the environment what the settings must know before anybody reads them."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    options, _ = parser.parse_known_args(arguments)
    os.environ.setdefault("SITE_URL", f"http://localhost:{options.port}")
    os.environ.setdefault("WEB_URL", f"http://{near(options.host)}:{options.port}")
    if options.demo:
        os.environ["DEMO"] = "true"


def near(host: str) -> str:
    """How this machine reaches itself, in an address, where it listens at `host`."""
    # Where it listens everywhere, it answers itself too.
    itself = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{itself}]" if ":" in itself else itself


class Command(BaseCommand):
    help = "Runs the whole service: pages, letters and deadlines. Ctrl-C stops it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_options(parser)

    def handle(self, *args: Any, host: str, port: int, demo: bool, **options: Any) -> None:
        from config.supervisor import Supervisor

        with listen(host, port) as door, Supervisor(self.say) as supervisor:
            self.serve(supervisor, door, demo)
            self.say("Stopping ...")
        self.say("Stopped.")

    def serve(self, supervisor: Any, door: socket.socket, demo: bool) -> None:
        from config import services

        if not self.prepare(supervisor, demo):
            return
        supervisor.start("web server", lambda: services.web(supervisor, door.fileno()))
        status = first_page(supervisor, door)
        if status:
            supervisor.start("worker", lambda: services.worker(supervisor))
            self.greet(status, demo)
            supervisor.run()

    def prepare(self, supervisor: Any, demo: bool) -> bool:
        """Whether the database is ready, and nobody has said stop."""
        if not up_to_date():
            self.say("Preparing the database ...")
            if not supervisor.finish(make_tables):
                return False
        return not demo or supervisor.finish(lambda: call_command("demo", stdout=StringIO()))

    def greet(self, status: bytes, demo: bool) -> None:
        if status[-3:] >= b"500":
            self.say("The first page fails; the lines above should tell why.")
            return
        self.say(f"Estafette answers at {settings.SITE_URL}/ and stops with Ctrl-C.")
        if demo:
            from config.management.commands.demo import PASSWORD, PLAYERS, STAFF

            people = ", ".join(PLAYERS)
            self.say(f"Log in as {people} or {STAFF} (staff); the password is {PASSWORD}.")

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; the children inherit it, and it outlives any of them."""
    if not 0 < port < 2**16:
        raise CommandError(f"There is no port {port}: ports have the numbers 1 to 65535.")
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen(128)
    except OSError as error:
        door.close()
        raise CommandError(
            f"Port {port} of {host} is not to be had: {error.strerror}. "
            f"Another one can be named: manage.py up --port {port + 1}"
        ) from None
    return door


def up_to_date() -> bool:
    """Whether every migration on disk has been applied; looked up without loading one of them."""
    tables = connection.introspection.table_names()
    cache = settings.CACHES["default"]
    if "django_migrations" not in tables:
        return False
    if cache["BACKEND"].endswith("DatabaseCache") and cache["LOCATION"] not in tables:
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        applied = set(cursor.fetchall())
    on_disk = {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in (Path(app.path) / "migrations").glob("[!_]*.py")
    }
    return on_disk <= applied


def make_tables() -> None:
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)


def first_page(supervisor: Any, door: socket.socket) -> bytes:
    """Wait until the first page is there; its status line, or nothing where somebody said stop."""
    while True:
        with socket.create_connection(door.getsockname()[:2]) as page:
            page.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            if not supervisor.run(until=page.fileno()):
                return b""
            # A web server that dies over it leaves no answer, and is started again.
            with suppress(ConnectionError):
                if status := page.recv(12):
                    return status
