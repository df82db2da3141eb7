"""Reverse proxies for tests: nginx and Caddy as deploy/ configures them, on free ports."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from tests.preloaded import ROOT
from tests.servers import free_port, missing, wait_for_port

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1; {user}
events {{ worker_connections 512; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxied;
{site}
}}
"""


class Proxy:
    """A proxy in front of the web server at `web_port`; its sample is changed in names alone."""

    def __init__(self, program: str, web_port: int) -> None:
        if shutil.which(program) is None:
            missing(f"There is no {program} on this machine; Debian's package is {program}.")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._folder = Path(tempfile.mkdtemp(prefix=f"estafette-{program}-"))
        self._names: dict[str, str] = {}
        write = {"nginx": self._nginx, "caddy": self._caddy}[program]
        self._command = write(web_port)
        self._process: subprocess.Popen[bytes] | None = None

    def _nginx(self, web_port: int) -> list[str]:
        site = (ROOT / "deploy" / "nginx.conf").read_text()
        # The first server sends people to https, which needs a certificate.
        site = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", site, count=1, flags=re.DOTALL)
        site = re.sub(r" +(?:listen \[::\]:443|ssl_).*\n", "", site)
        site = site.replace("listen 443 ssl http2", f"listen 127.0.0.1:{self.port}")
        site = site.replace("127.0.0.1:8000", f"127.0.0.1:{web_port}")
        user = "user root;" if Path.home() == Path("/root") else ""
        file = self._folder / "nginx.conf"
        file.write_text(NGINX.format(folder=self._folder, site=site, user=user))
        return ["nginx", "-c", str(file), "-e", str(self._folder / "errors")]

    def _caddy(self, web_port: int) -> list[str]:
        self._names = {
            "ESTAFETTE_HOST": f"http://127.0.0.1:{self.port}",
            "ESTAFETTE_WEB": f"127.0.0.1:{web_port}",
        }
        site = (ROOT / "deploy" / "Caddyfile").read_text()
        # Left to itself it listens at all addresses, where connections of tests may have the port.
        ours = "{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tservers"
        site = site.replace("{\n\tservers", ours, 1)
        file = self._folder / "Caddyfile"
        file.write_text(site)
        return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]

    def ask_instead(self, servers: list[str]) -> None:
        """Of nginx: have it ask these web servers in turn."""
        file = self._folder / "nginx.conf"
        lines = "".join(f"    server {server};\n" for server in servers)
        site, count = re.subn(r"    server 127\.0\.0\.1:\d+;\n", lines, file.read_text())
        assert count == 1
        file.write_text(site)

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env={**os.environ, **self._names}, stdout=log, stderr=log
            )
        try:
            wait_for_port(self.port)
        except TimeoutError as error:
            raise RuntimeError(f"{error}\n{(self._folder / 'log').read_text()[-4000:]}") from None

    def signal(self, number: int) -> None:
        """To it, and to whatever it has started."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        for each in (pid, *map(int, children.split())):
            os.kill(each, number)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self.signal(signal.SIGKILL)
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
