"""Options of `manage.py up`, and the environment that follows from them.

`manage.py` needs both before it reads the settings, so that no model may be imported here.
"""

import argparse
import os

from config.listening import near


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="with users and matches to try it on")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")


def set_environment(arguments: list[str]) -> None:
    """Set the environment variables that the settings need, before they are read."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    options, _ = parser.parse_known_args(arguments)
    os.environ.setdefault("SITE_URL", f"http://localhost:{options.port}")
    os.environ.setdefault("WEB_URL", f"http://{near(options.host)}:{options.port}")
    if options.demo:
        os.environ["DEMO"] = "true"
