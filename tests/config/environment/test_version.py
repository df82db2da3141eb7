"""The version that the log, `manage.py health` and the metrics name."""

import tomllib
from pathlib import Path

import pytest

from config.environment import version
from tests.preloaded import ROOT

COMMIT = "9350a95d1c2b7e8f90a1b2c3d4e5f60718293a4b"


def test_the_version_matches_project_and_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == version.NUMBER
    assert f"\n## {version.NUMBER}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    "files",
    [
        {"HEAD": COMMIT},
        {"HEAD": "ref: refs/heads/main", "refs/heads/main": f"{COMMIT}\n"},
        {"HEAD": "ref: refs/heads/main", "packed-refs": f"# pack\n{COMMIT} refs/heads/main\n"},
    ],
    ids=["detached", "loose", "packed"],
)
def test_the_commit_is_read_from_gits_files(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert version.commit_in(tmp_path) == COMMIT


@pytest.mark.parametrize(
    "files", [{}, {"HEAD": "ref: refs/heads/main"}, {"HEAD": "ref: r", "packed-refs": ""}]
)
def test_without_a_commit_only_the_version_is_given(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert version.commit_in(tmp_path) == ""
