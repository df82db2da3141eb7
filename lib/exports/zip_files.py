"""The ZIP file of an export, written to a stream that cannot go back."""

import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lib.exports.files import File, instant, json_file

SCHEMA = 1  # of the whole export; a change that a reader of it would notice raises it
MANIFEST = "manifest.json"
CHUNK_BYTES = 64 * 1024  # of the ZIP file, about
FILE_MODE = 0o600


def zip_pieces(files: Iterable[File], made_at: datetime) -> Iterator[bytes]:
    """A ZIP file in pieces of about CHUNK_BYTES; the manifest, with all digests, comes last."""
    sink = _Sink()
    digests: dict[str, str] = {}
    # ZIP files have local times without a zone; this is UTC.
    written_at = made_at.astimezone(UTC).timetuple()[:6]
    with ZipFile(sink, "w") as archive:

        def write(file: File) -> Iterator[bytes]:
            digest = sha256()
            info = ZipInfo(file.name, written_at)
            info.compress_type, info.external_attr = ZIP_DEFLATED, FILE_MODE << 16
            with archive.open(info, "w") as entry:
                for piece in file.pieces:
                    digest.update(piece)
                    entry.write(piece)
                    yield from sink.taken(CHUNK_BYTES)
            digests[file.name] = digest.hexdigest()

        for file in files:
            yield from write(file)
        manifest = {"schema": SCHEMA, "made_at": instant(made_at), "sha256": dict(digests)}
        yield from write(json_file(MANIFEST, lambda: manifest))
    yield from sink.taken(1)


class _Sink(io.RawIOBase):
    """Keeps what a ZipFile writes until it is taken; the ZipFile cannot go back in it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._size += len(piece)
        return len(piece)

    def taken(self, least: int) -> Iterator[bytes]:
        """What was written, in one piece, if it has at least so many bytes."""
        if self._size >= least:
            yield b"".join(self._pieces)
            self._pieces, self._size = [], 0
