"""Debian's Dovecot in a temporary folder: IMAP on free ports, one mailbox.

With TLS it uses a self-signed certificate for 127.0.0.1.
"""

import os
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.servers import free_port, missing, wait_for_port

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = nobody
first_valid_uid = 1
mail_location = maildir:{folder}/mail
mail_uid = nobody
mail_gid = nogroup
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""


def make_certificate(certificate: Path, key: Path) -> None:
    """A self-signed certificate for 127.0.0.1."""
    made = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    address = x509.IPAddress(IPv4Address("127.0.0.1"))
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder(name, name, made.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(made, hashes.SHA256())
    )
    certificate.write_bytes(signed.public_bytes(Encoding.PEM))
    key.write_bytes(
        made.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    )


class Dovecot:
    """`url`: value for MAIL_IMAP; `tls_url`: the same with TLS, verified by `certificate`.

    `deliver` puts a message into the mailbox.
    """

    def __init__(self) -> None:
        if not Path("/usr/sbin/dovecot").exists():
            missing("There is no Dovecot on this machine; Debian's package is dovecot-imapd.")
        if os.geteuid() != 0:
            missing("Dovecot starts as root alone.")
        self.port, tls_port = free_port(), free_port()
        self.tls_url = f"imaps://post:secret@127.0.0.1:{tls_port}/INBOX"
        self.url = f"imap://post:secret@127.0.0.1:{self.port}/INBOX"
        self.folder = Path(tempfile.mkdtemp(prefix="estafette-dovecot-"))
        self.folder.chmod(0o755)
        for name in ("home", "mail/new", "mail/cur", "mail/tmp"):
            (self.folder / name).mkdir(parents=True)
        for file in self.folder.rglob("*"):
            shutil.chown(file, "nobody", "nogroup")
        self._file = self.folder / "dovecot.conf"
        self._file.write_text(
            CONFIGURATION.format(folder=self.folder, port=self.port, tls_port=tls_port)
        )
        self.certificate = self.folder / "certificate.pem"
        make_certificate(self.certificate, self.folder / "key.pem")
        self._count = 0

    def __enter__(self) -> "Dovecot":
        self._process = subprocess.Popen(["/usr/sbin/dovecot", "-F", "-c", str(self._file)])
        wait_for_port(self.port)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def deliver(self, raw: bytes) -> None:
        self._count += 1
        file = self.folder / "mail" / "tmp" / f"{self._count}.x"
        file.write_bytes(raw)
        shutil.chown(file, "nobody", "nogroup")
        file.rename(self.folder / "mail" / "new" / file.name)
