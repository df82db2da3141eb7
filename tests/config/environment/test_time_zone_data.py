"""Time zone data: the locked package counts, unless the system's data is newer."""

import json
import os
import shutil
import subprocess
import sys
import zoneinfo
from datetime import UTC, datetime
from pathlib import Path

import pytest
import tzdata
from django.core.management import call_command

from config.environment import time_zone_data
from tests import tiers
from tests.floors import at_least
from tests.preloaded import ROOT

PACKAGE = Path(str(tzdata.__file__)).parent / "zoneinfo"
MONTHS = [datetime(year, month, 15, tzinfo=UTC) for year in (2026, 2027) for month in range(1, 13)]
SHOWN = """
import json
from datetime import datetime
from config import settings
from zoneinfo import ZoneInfo
from tests import tiers
paris = datetime(2027, 1, 1, tzinfo=ZoneInfo("Europe/Paris"))
print(json.dumps(paris.utcoffset().total_seconds() / 3600))
"""


def data(folder: Path, release: str) -> Path:
    """Time zone data in which Paris has the time of Tokyo."""
    (folder / "Europe").mkdir(parents=True)
    shutil.copy(PACKAGE / "Asia" / "Tokyo", folder / "Europe" / "Paris")
    if release:
        (folder / "tzdata.zi").write_text(f"# version {release}\n# more\n")
    return folder


@pytest.mark.parametrize(
    ("release", "hours"),
    tiers.parameters(
        [("2020a", 1), ("", 1), (tzdata.IANA_VERSION, 1), ("2999a", 9)],
        fast=[("2020a", 1), ("2999a", 9)],
    ),
    ids=["older", "of unknown age", "the same", "newer"],
)
def test_the_newer_data_counts(tmp_path: Path, release: str, hours: int) -> None:
    folder = data(tmp_path / "zones", release)
    environment = os.environ | {"PYTHONTZPATH": str(folder), "VAR_DIR": str(tmp_path / "var")}
    # Not a fork of a process that has read the path already.
    done = subprocess.run(
        [sys.executable, "-c", SHOWN], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == hours


def test_the_release_is_read_from_the_first_folder_with_data(tmp_path: Path) -> None:
    old, mac = data(tmp_path / "old", "2020a"), data(tmp_path / "mac", "")
    (mac / "+VERSION").write_text("2021b\n")
    nothing, unknown = str(tmp_path / "nothing"), str(data(tmp_path / "unknown", ""))
    assert time_zone_data.release_in([nothing, str(old), str(mac)]) == "2020a"
    assert time_zone_data.release_in([str(mac), str(old)]) == "2021b"
    assert time_zone_data.release_in([unknown, str(old)]) == ""
    assert time_zone_data.release_in([]) == ""


def test_this_process_reads_the_package_unless_the_system_is_newer() -> None:
    if time_zone_data.IS_SYSTEM_NEWER:
        assert zoneinfo.TZPATH
        return
    names = sorted(path for path in PACKAGE.rglob("*") if path.is_file())
    for path in at_least(400, names):
        if not path.read_bytes().startswith(b"TZif"):
            continue
        name = str(path.relative_to(PACKAGE))
        with path.open("rb") as file:
            locked = zoneinfo.ZoneInfo.from_file(file, key=name)
        used = zoneinfo.ZoneInfo(name)
        for at in MONTHS:
            assert at.astimezone(used).utcoffset() == at.astimezone(locked).utcoffset(), name


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("2020a", f"{tzdata.IANA_VERSION} of the package tzdata (the system has 2020a)."),
        (tzdata.IANA_VERSION, f"{tzdata.IANA_VERSION} of the package tzdata."),
        ("", "of the package tzdata (the system has none, or of unknown age)."),
        ("2999a", "2999a of the system."),
    ],
)
def test_check_names_the_data_in_use(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    release: str,
    expected: str,
) -> None:
    monkeypatch.setattr(time_zone_data, "SYSTEM_RELEASE", release)
    monkeypatch.setattr(time_zone_data, "IS_SYSTEM_NEWER", release > tzdata.IANA_VERSION)
    call_command("check", tags=["security"])
    output = capsys.readouterr().out.splitlines()[0]
    assert output.startswith("Estafette ") and output.endswith(expected)
