"""A local https server that receives external calls, with its own certificate authority."""

import datetime as dt
import ssl
import tempfile
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.servers import serve


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """`status` is its response, `pause` the seconds between two bytes of that."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="estafette-ca-")))
    status: int = 200
    location: str = ""
    retry_after: str = ""
    pause: float = 0.0
    received: list[Received] = field(default_factory=list)

    def start(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(self.folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        serve(self._server)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def authority(self) -> str:
        return str(self.folder / "authority.pem")

    def url(self, path: str = "/hook?key=1") -> str:
        return f"https://127.0.0.1:{self.port}{path}"

    def _handler(receiver: "Receiver") -> type[BaseHTTPRequestHandler]:  # noqa: N805 - the handler has a self.
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.append(Received(self.path, headers, body))
                if receiver.pause:
                    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000:
                        self.wfile.write(bytes([byte]))
                        time.sleep(receiver.pause)
                self.send_response(receiver.status)
                if receiver.location:
                    self.send_header("Location", receiver.location)
                if receiver.retry_after:
                    self.send_header("Retry-After", receiver.retry_after)
                self.end_headers()
                self.wfile.write(b"x" * 10_000)

            def log_message(self, *args: object) -> None:
                pass

        return Handler


def certificate(folder: Path) -> Path:
    """A certificate for localhost with its key in one file, and its authority in another."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority_name, name = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, who)]) for who in ("Tests", "localhost")
    )
    names = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    )
    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    own = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
    authority = (
        _signed(authority_name, authority_name, authority_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(own, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    leaf = (
        _signed(name, authority_name, key.public_key())
        .add_extension(names, critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "authority.pem").write_bytes(authority.public_bytes(pem))
    chain = folder / "localhost.pem"
    chain.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + leaf.public_bytes(pem)
    )
    return chain


def _signed(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
    )
