"""The ZIP file of an export is whole, has a manifest with digests, and is made piece by piece."""

import csv
import io
import json
import random
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from zipfile import ZipFile, is_zipfile

import pytest

from lib.exports.files import File, csv_file, json_file, json_rows, text_file
from lib.exports.zip_files import CHUNK_BYTES, zip_pieces
from tests import tiers

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
MIB = 1024 * 1024


def opened(*files: File) -> ZipFile:
    return ZipFile(io.BytesIO(b"".join(zip_pieces(files, AT))))


def test_each_file_is_in_it_and_in_the_manifest_with_its_digest() -> None:
    archive = opened(text_file("records/7.txt", "1. a4-a5"), json_file("a.json", lambda: {"n": 1}))
    assert archive.testzip() is None
    assert archive.namelist() == ["records/7.txt", "a.json", "manifest.json"]
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["schema"] == 1
    assert manifest["made_at"] == "2026-03-01T12:00:00Z"
    assert manifest["sha256"] == {
        name: sha256(archive.read(name)).hexdigest() for name in ("records/7.txt", "a.json")
    }


def test_only_the_owner_can_read_the_unpacked_files() -> None:
    infos = opened(text_file("a.txt", "")).infolist()
    assert {info.external_attr >> 16 & 0o777 for info in infos} == {0o600}


def test_rows_are_lists_of_json_and_lines_of_csv() -> None:
    rows = [["Ärger, “so”", None, AT], ["two\nlines", timedelta(hours=1), True]]
    archive = opened(
        json_rows("none.json", []),
        json_rows("rows.json", [{"n": 1}, {"n": "ß"}]),
        csv_file("rows.csv", ("text", "span", "at"), rows),
    )
    assert json.loads(archive.read("none.json")) == []
    assert json.loads(archive.read("rows.json")) == [{"n": 1}, {"n": "ß"}]
    lines = list(csv.reader(io.StringIO(archive.read("rows.csv").decode())))
    assert lines == [
        ["text", "span", "at"],
        ["Ärger, “so”", "", "2026-03-01T12:00:00Z"],
        ["two\nlines", "3600.0", "True"],
    ]


def test_text_that_is_no_unicode_can_be_written() -> None:
    archive = opened(json_file("a.json", lambda: "\ud800"), csv_file("a.csv", ["\ud800"], []))
    assert archive.read("a.json") == b'"\\ud800"\n'
    assert archive.read("a.csv") == b"\\ud800\n"


def test_an_interrupted_download_ends_quietly_and_is_no_zip_file() -> None:
    pieces = zip_pieces([File("noise", (bytes([n]) * 999_999 for n in range(200)))], AT)
    first = next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert not is_zipfile(io.BytesIO(first))


@pytest.mark.parametrize("length", tiers.parameters((8 * MIB, 40 * MIB), fast=(8 * MIB,)))
def test_it_is_sent_in_small_pieces_and_takes_little_memory(length: int) -> None:
    def noise() -> Iterator[bytes]:
        rng = random.Random(1)
        return (rng.randbytes(CHUNK_BYTES) for _ in range(length // CHUNK_BYTES))

    tracemalloc.start()
    sizes = [len(piece) for piece in zip_pieces([File("noise", noise())], AT)]
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(sizes) > length
    assert max(sizes) < 3 * CHUNK_BYTES
    assert peak < 4 * MIB
