"""Debian's Postfix with the configuration of deploy/postfix, in a temporary folder on free ports.

Only addresses of the sample are changed. A small milter replaces rspamd or OpenDMARC: it adds
Authentication-Results that pass for the senders that a test names.
"""

import contextlib
import os
import re
import shutil
import socketserver
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from tests.preloaded import ROOT
from tests.servers import free_port, missing, serve, wait_for, wait_for_port

SAMPLES = ROOT / "deploy" / "postfix"
DOMAIN, AUTHSERV_ID = "play.example.org", "mx.play.example.org"

# Debian's main.cf, as far as a temporary folder needs it.
MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.play.example.org
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
# Nobody is spared what strangers meet.
mynetworks =
alias_maps =
alias_database =
notify_classes =
smtputf8_enable = no
# Nothing leaves this machine.
default_transport = discard:
relay_transport = discard:
# A deferred e-mail is retried at each flush.
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
"""
SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
lmtp unix - - n - - lmtp
discard unix - - n - - discard
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """`lmtp`: address of the listener; `program`: called by the pipe transport instead."""

    def __init__(self, *, lmtp: str = "127.0.0.1:1", program: Path | None = None) -> None:
        if shutil.which("postfix", path=f"{os.environ['PATH']}:/usr/sbin") is None:
            missing("There is no Postfix on this machine; Debian's package is postfix.")
        if os.geteuid() != 0:
            missing("Postfix starts as root alone.")
        self.port = free_port()
        self.milter = Milter()
        self.folder = Path(tempfile.mkdtemp(prefix="estafette-postfix-"))
        self.folder.chmod(0o755)
        for name in ("queue", "data"):
            (self.folder / name).mkdir()
        shutil.chown(self.folder / "data", "postfix")
        sample = self._sample("main.cf").replace("127.0.0.1:8024", lmtp)
        sample = sample.replace("127.0.0.1:11332", f"127.0.0.1:{self.milter.port}")
        services = SERVICES.format(port=self.port)
        if program is not None:
            sample = re.sub(
                r"(?m)^virtual_transport.*", "virtual_transport = estafette-mail:", sample
            )
            line = self._sample("master.cf").replace("user=estafette", "user=nobody")
            services += line.replace("/usr/local/bin/estafette", str(program))
        (self.folder / "main.cf").write_text(MAIN.format(folder=self.folder) + sample)
        (self.folder / "master.cf").write_text(services)
        for name in ("estafette", "estafette_headers"):
            (self.folder / name).write_text(self._sample(name))
        self._process: subprocess.Popen[bytes] | None = None

    def _sample(self, name: str) -> str:
        return (SAMPLES / name).read_text().replace("/etc/postfix/", f"{self.folder}/")

    def __enter__(self) -> "Postfix":
        self.milter.start()
        command = ["/usr/sbin/postfix", "-c", str(self.folder), "start-fg"]
        with (self.folder / "said").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            wait_for_port(self.port)
        except TimeoutError:
            raise RuntimeError((self.folder / "said").read_text() + self.log()) from None
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["/usr/sbin/postfix", "-c", str(self.folder), "abort"], capture_output=True)
        if self._process is not None:
            self._process.wait(30)
        self.milter.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self) -> str:
        """The log so far."""
        file = self.folder / "log"
        return file.read_text() if file.exists() else ""

    def flush_until(self, words: str) -> None:
        """Flush the queue until the log matches; a message in delivery is skipped by a flush."""
        until = time.monotonic() + 30
        while not self._logged(words) and time.monotonic() < until:
            subprocess.run(["/usr/sbin/postqueue", "-c", str(self.folder), "-f"], check=True)
            with contextlib.suppress(TimeoutError):
                wait_for(lambda: self._logged(words), words, 3)
        self.wait_for(words)

    def _logged(self, words: str) -> bool:
        return re.search(words, self.log()) is not None

    def kept(self) -> bool:
        """Whether a message is queued."""
        folders = ("incoming", "active", "deferred")
        return any(
            file.is_file() for name in folders for file in (self.folder / "queue" / name).rglob("*")
        )

    def wait_for(self, words: str) -> None:
        """Wait until the log matches."""
        try:
            wait_for(lambda: self._logged(words), f"Postfix should say {words}.", 30)
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{self.log()}") from None


class Milter:
    """Speaks version 6 of the milter protocol; handles only MAIL FROM and end of message."""

    ADDS_HEADERS = 0x01
    # Skip CONNECT, HELO, RCPT, BODY, headers, end of headers, UNKNOWN and DATA.
    LEFT_OUT = 0x01 | 0x02 | 0x08 | 0x10 | 0x20 | 0x40 | 0x100 | 0x200

    def __init__(self) -> None:
        self.port = free_port()
        self.proved = {"example.org"}
        self._server: socketserver.ThreadingTCPServer | None = None

    def start(self) -> None:
        milter = self

        class Session(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                domain = ""
                while len(head := self.rfile.read(5)) == 5:
                    length, command = struct.unpack(">Ic", head)
                    data = self.rfile.read(length - 1)
                    if command == b"O":
                        options = struct.pack(">III", 6, milter.ADDS_HEADERS, milter.LEFT_OUT)
                        self.say(b"O", options)
                    elif command == b"M":
                        address = data.split(b"\0")[0].decode().strip("<>")
                        domain = address.rpartition("@")[2]
                        self.say(b"c")
                    elif command == b"E":
                        word = "pass" if domain in milter.proved else "fail"
                        results = f"{AUTHSERV_ID}; dmarc={word} header.from={domain}"
                        header = b"Authentication-Results\0" + results.encode() + b"\0"
                        self.say(b"i", struct.pack(">I", 0) + header)
                        self.say(b"c")
                    elif command in (b"Q", b"K"):
                        return

            def say(self, command: bytes, data: bytes = b"") -> None:
                self.wfile.write(struct.pack(">I", len(data) + 1) + command + data)

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", self.port), Session)
        self._server.daemon_threads = True
        serve(self._server)

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
