"""Keys that the service creates itself."""

import stat
from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.signing import Signer

from config.keys.key_files import is_push_key, push_key, read_later, read_or_make


def test_a_key_is_created_once_and_readable_only_for_its_owner(tmp_path: Path) -> None:
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
    assert is_push_key(key)
    assert read_or_make(tmp_path / "key", push_key) == key


@pytest.mark.parametrize("key", ["any long secret", "", "abc", "A" * 43, "b" * 64, "_" * 43, "é"])
def test_an_invalid_key_for_web_push_is_recognized(key: str) -> None:
    assert not is_push_key(key)


def test_a_key_may_be_created_after_it_was_requested(tmp_path: Path) -> None:
    key = read_later(tmp_path / "key")
    with pytest.raises(ImproperlyConfigured, match="cannot be read: No such file"):
        str(key)
    made = read_or_make(tmp_path / "key")
    assert Signer(key=made).unsign(Signer(key=key).sign("this")) == "this"
    assert {made: "found"}[key] == "found"
