"""Keys that an installation makes for itself."""

import stat
from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from config.keys import push_key, read_or_make


def test_a_key_is_made_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "var" / "key"
    key = read_or_make(path)
    assert len(key) >= 43
    assert read_or_make(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_that_start_at_once_agree_on_a_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(read_or_make, [tmp_path / "key"] * 8))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_key_for_web_push_is_a_number_of_32_bytes(tmp_path: Path) -> None:
    key = read_or_make(tmp_path / "key", push_key)
    assert len(urlsafe_b64decode(key + "=")) == 32
    assert read_or_make(tmp_path / "key", push_key) == key
