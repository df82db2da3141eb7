"""The service of the club that is measured: `manage.py up` on SQLite behind Caddy, with members."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.preloaded import ROOT
from tests.proxies import Proxy
from tests.servers import SmtpSink, free_port, wait_for


class Service(NamedTuple):
    """The club's service while it runs; `made` is what was prepared in it."""

    url: str
    made: dict[str, Any]
    pid: int
    manage: Callable[..., "subprocess.Popen[str]"]


@contextmanager
def up(var: Path, options: argparse.Namespace, mail: SmtpSink) -> Iterator[Service]:
    """The club's service, with its members and their matches."""
    port = free_port()
    with closing(ProxyOn(port)) as proxy:
        environment = {
            "PATH": os.environ["PATH"],
            "VAR_DIR": str(var),
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
            "SITE_URL": proxy.url.rstrip("/"),
            "EMAIL_URL": mail.url,
            "LOG_FILE": str(var / "log"),
            "TRUSTED_PROXY_COUNT": "1",
            "PROXY_STAMPS_ARRIVAL": "true",
        }

        def manage(*words: str) -> "subprocess.Popen[str]":
            command = [sys.executable, "manage.py", *words]
            pipe = subprocess.PIPE
            return subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True
            )

        manage("migrate", "-v0", "--run-syncdb").communicate()
        prepare = ["players", "matches", "to_come"]
        counts = [f"--{name.replace('_', '-')}={getattr(options, name)}" for name in prepare]
        made = json.loads(manage("prepare_club", *counts).communicate()[0])
        running = ["--port", str(port), "--processes", str(options.processes)]
        process = manage("up", *running, "--workers", str(options.workers))
        try:
            proxy.start()
            assert process.stdout is not None
            wait_for(lambda: "answers at" in process.stdout.readline(), "It should come up.", 120)
            yield Service(proxy.url, made, process.pid, manage)
        finally:
            process.terminate()
            process.wait(30)


class ProxyOn(Proxy):
    """Caddy before a port; closed at the end."""

    def __init__(self, port: int) -> None:
        super().__init__("caddy", port)

    def close(self) -> None:
        self.stop()
