"""Options of `manage.py up`, and the environment that follows from them.

`manage.py` needs both before it reads the settings, so that no model may be imported here.
"""

import argparse
import os
from collections.abc import Mapping

from django.core.management.base import CommandError

from config.processes.listening import near

MAX_PROCESSES = 64
MAIL_PORT_ABOVE = 10_000  # of the listener for mail in the demo, above the pages'
MAX_PORT = 65_535


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="with users and matches to try it on")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--processes", type=int, default=1, help="of the web server")
    parser.add_argument("--workers", type=int, default=1, help="processes of the worker")


def insist_on_counts(numbers: Mapping[str, int]) -> None:
    """Raise CommandError where an option asks for no process, or for far too many."""
    for name, number in numbers.items():
        if not 1 <= number <= MAX_PROCESSES:
            raise CommandError(f"{name} takes a number from 1 to {MAX_PROCESSES}.")


def set_environment(arguments: list[str]) -> None:
    """Set the environment variables that the settings need, before they are read."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    options, _ = parser.parse_known_args(arguments)
    if 0 < options.port <= MAX_PORT:  # of any other the command says what is wrong
        os.environ.setdefault("SITE_URL", f"http://localhost:{options.port}")
        os.environ.setdefault("WEB_URL", f"http://{near(options.host)}:{options.port}")
    if options.demo:
        os.environ["DEMO"] = "true"
        # So that answers can be tried out without a mail server.
        port = options.port + MAIL_PORT_ABOVE
        if not os.environ.get("MAIL_LISTEN") and port <= MAX_PORT:
            os.environ["MAIL_LISTEN"] = f"smtp://127.0.0.1:{port}"
