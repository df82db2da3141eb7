"""Helper: the export of a person, unpacked."""

import csv
import io
import json
from typing import Any
from zipfile import ZipFile

from accounts.models import User
from config.personal_data import exports
from lib.db_clock import now
from lib.exports.zip_files import zip_pieces


class Unpacked:
    """The files of an export by name."""

    def __init__(self, content: bytes) -> None:
        with ZipFile(io.BytesIO(content)) as archive:
            assert archive.testzip() is None
            self.files = {name: archive.read(name) for name in archive.namelist()}

    def json(self, name: str) -> Any:
        return json.loads(self.files[name])

    def csv(self, name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.files[name].decode())))

    def text(self, name: str) -> str:
        return self.files[name].decode()

    @property
    def everything(self) -> str:
        return "\n".join(content.decode() for content in self.files.values())


def exported(user: User) -> Unpacked:
    return Unpacked(b"".join(zip_pieces(exports.files(user), now())))
