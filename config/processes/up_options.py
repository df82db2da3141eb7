"""Options of `manage.py up`, and the environment variables that follow from them.

`manage.py` needs them before it reads the settings, so no model may be imported here.
"""

import argparse
import os
from collections.abc import Mapping

from django.core.management.base import CommandError

from config.processes.listening import url_host

MAX_PROCESSES = 64
MAIL_PORT_OFFSET = 10_000  # from the web port to the demo's mail port
MAX_PORT = 65_535


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="with demo users and matches")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--processes", type=int, default=1, help="of the web server")
    parser.add_argument("--workers", type=int, default=1, help="processes of the worker")


def check_counts(numbers: Mapping[str, int]) -> None:
    """Raise CommandError for a number of processes below 1 or above MAX_PROCESSES."""
    for name, number in numbers.items():
        if not 1 <= number <= MAX_PROCESSES:
            raise CommandError(f"{name} takes a number from 1 to {MAX_PROCESSES}.")


def set_environment(arguments: list[str]) -> None:
    """Set the environment variables that the settings need, before they are read."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    options, _ = parser.parse_known_args(arguments)
    if 0 < options.port <= MAX_PORT:  # the command reports any other
        os.environ.setdefault("SITE_URL", f"http://localhost:{options.port}")
        os.environ.setdefault("WEB_URL", f"http://{url_host(options.host)}:{options.port}")
    if options.demo:
        os.environ["DEMO"] = "true"
        # So that e-mails can be answered without a mail server.
        port = options.port + MAIL_PORT_OFFSET
        if not os.environ.get("MAIL_LISTEN") and port <= MAX_PORT:
            os.environ["MAIL_LISTEN"] = f"smtp://127.0.0.1:{port}"
