"""Debian's Dovecot in a folder of its own: IMAP on a free port of this machine, one mailbox."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.servers import free_port, missing, wait_for_port

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
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
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
"""


class Dovecot:
    """`url`: the mailbox, as MAIL_IMAP names it; `deliver`: a message is in it."""

    def __init__(self) -> None:
        if not Path("/usr/sbin/dovecot").exists():
            missing("There is no Dovecot on this machine; Debian's package is dovecot-imapd.")
        if os.geteuid() != 0:
            missing("Dovecot starts as root alone.")
        self.port = free_port()
        self.url = f"imap://post:secret@127.0.0.1:{self.port}/INBOX"
        self.folder = Path(tempfile.mkdtemp(prefix="estafette-dovecot-"))
        self.folder.chmod(0o755)
        for name in ("home", "mail/new", "mail/cur", "mail/tmp"):
            (self.folder / name).mkdir(parents=True)
        for file in self.folder.rglob("*"):
            shutil.chown(file, "nobody", "nogroup")
        self._file = self.folder / "dovecot.conf"
        self._file.write_text(CONFIGURATION.format(folder=self.folder, port=self.port))
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
