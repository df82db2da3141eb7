"""A folder with files that the program checks, and the program."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from games.rules.proof import verify

Verify = Callable[..., tuple[int, str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Run verify.py on files given as texts or bytes; returns its exit status and its output.

    `keys` are its --key options.
    """

    def run(files: Mapping[str, str | bytes], keys: tuple[str, ...] = ()) -> tuple[int, str]:
        paths = []
        for name, content in files.items():
            path = tmp_path / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            paths.append(str(path))
        options = [word for key in keys for word in ("--key", key)]
        status = verify.main([*options, *paths])
        return status, capsys.readouterr().out.replace(f"{tmp_path}/", "")

    return run
