"""Reverse proxies for tests: nginx and Caddy as deploy/ configures them, on free ports.

nginx writes its logs to its folder, Caddy to `log` there.
"""

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
{files}
events {{ {connections} }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxied;
{site}
}}
"""


HOST = "play.example.org"  # of the samples


class Proxy:
    """A proxy in front of the web server at `web_port`; its sample is changed in names alone.

    With `tls` it is that of HOST, with https at `port` and http at `http_port`; `authority` is the
    file of the certificate to trust. Without, it answers plain HTTP at `port`, to any host.
    """

    def __init__(self, program: str, web_port: int, *, tls: bool = False) -> None:
        if shutil.which(program) is None:
            missing(f"There is no {program} on this machine; Debian's package is {program}.")
        self.port, self.http_port, self._tls = free_port(), free_port(), tls
        self.url = f"http://127.0.0.1:{self.port}/"
        self._folder = Path(tempfile.mkdtemp(prefix=f"estafette-{program}-"))
        self._names: dict[str, str] = {}
        write = {"nginx": self._nginx, "caddy": self._caddy}[program]
        self._command = write(web_port)
        self._process: subprocess.Popen[bytes] | None = None

    def _nginx(self, web_port: int) -> list[str]:
        site = (ROOT / "deploy" / "nginx.conf").read_text()
        files, connections = re.findall(r"^# {5}(worker_\w+ \d+;)$", site, re.MULTILINE)
        site = re.sub(r" +listen \[::\].*\n", "", site)
        if self._tls:
            self._make_certificate()
            site = site.replace("listen 80;", f"listen 127.0.0.1:{self.http_port};")
            site = site.replace("listen 443", f"listen 127.0.0.1:{self.port}")
            site = site.replace(f"/etc/letsencrypt/live/{HOST}", str(self._folder))
        else:
            # The first server sends people to https.
            first = r"server \{\n    listen 80;.*?\n\}\n"
            site = re.sub(first, "", site, count=1, flags=re.DOTALL)
            site = re.sub(r" +ssl_.*\n", "", site)
            site = site.replace("listen 443 ssl http2", f"listen 127.0.0.1:{self.port}")
        site = site.replace("127.0.0.1:8000", f"127.0.0.1:{web_port}")
        site = site.replace("/var/log/nginx", str(self._folder))
        user = "user root;" if Path.home() == Path("/root") else ""
        file = self._folder / "nginx.conf"
        names = {"folder": self._folder, "site": site, "user": user}
        file.write_text(NGINX.format(**names, files=files, connections=connections))
        return ["nginx", "-c", str(file), "-e", str(self._folder / "errors")]

    def _caddy(self, web_port: int) -> list[str]:
        self._names = {
            "ESTAFETTE_HOST": HOST if self._tls else f"http://127.0.0.1:{self.port}",
            "ESTAFETTE_WEB": f"127.0.0.1:{web_port}",
            # Its own certificates, if it makes any.
            "XDG_DATA_HOME": str(self._folder),
            "XDG_CONFIG_HOME": str(self._folder),
        }
        extra = f"\thttp_port {self.port}\n"
        if self._tls:
            extra = f"\thttp_port {self.http_port}\n\thttps_port {self.port}\n"
            extra += "\tlocal_certs\n\tskip_install_trust\n"
        site = (ROOT / "deploy" / "Caddyfile").read_text()
        # Left to itself it listens at all addresses, where connections of tests may have the port.
        ours = f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n{extra}\tservers"
        site = site.replace("{\n\tservers", ours, 1)
        file = self._folder / "Caddyfile"
        file.write_text(site)
        return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]

    def _make_certificate(self) -> None:
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"),
                *("-keyout", str(self._folder / "privkey.pem")),
                *("-out", str(self._folder / "fullchain.pem")),
            ],
            check=True,
            capture_output=True,
        )

    @property
    def authority(self) -> Path:
        local = self._folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        return local if "caddy" in self._command else self._folder / "fullchain.pem"

    def logs(self) -> str:
        """All that it has written to its logs."""
        files = {*self._folder.glob("*.log"), self._folder / "log", self._folder / "errors"}
        return "\n".join(file.read_text() for file in sorted(files) if file.exists())

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
