"""What lies in deploy/ names settings, commands and addresses that exist."""

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from tests import image
from tests.config.test_settings import NAMES
from tests.preloaded import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NOT_OURS = {"POSTGRES_PASSWORD", "ESTAFETTE_HOST"}  # compose and Caddy read them


def test_the_sample_environment_names_every_setting_and_no_other() -> None:
    lines = (DEPLOY / "estafette.env.example").read_text()
    named = set(re.findall(r"^#?([A-Z_]+)=", lines, re.MULTILINE))
    assert named - NOT_OURS == set(NAMES)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_something_of_ours_and_may_do_little(unit: Path) -> None:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read(unit)
    service = dict(parser["Service"])
    program, *arguments = service["ExecStart"].split()
    assert program in ("/opt/estafette/.venv/bin/python", "/opt/estafette/.venv/bin/celery")
    if program.endswith("python"):
        assert arguments[0] == "manage.py" and arguments[1] in get_commands()
    assert service["NoNewPrivileges"] == "yes" and service["ProtectSystem"] == "strict"
    assert service["User"] == "estafette" and service["StateDirectoryMode"] == "0700"


def test_systemd_finds_nothing_wrong_with_the_units() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("There is no systemd on this machine.")
    done = subprocess.run(
        ["systemd-analyze", "verify", *map(str, UNITS)], capture_output=True, text=True
    )
    # The programs are where an installation has them, and not here.
    wrong = [
        line
        for line in done.stderr.splitlines()
        if "estafette" in line and "is not executable" not in line
    ]
    assert not wrong


def test_the_image_is_built_from_locked_requirements_and_runs_as_nobody() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    assert any("--require-hashes -r requirements.txt" in step for step in image.steps(dockerfile))
    assert re.search(r"^USER estafette$", dockerfile, re.MULTILINE)


def test_compose_starts_what_there_is_and_sets_what_there_is() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert {"web", "worker", "beat", "database", "redis", "caddy", "migrate"} <= services.keys()
    for name in ("web", "worker", "beat", "migrate"):
        assert set(services[name]["environment"]) <= set(NAMES)
        assert services[name]["read_only"] and services[name]["cap_drop"] == ["ALL"]
    # Nobody reaches the web server but by the proxy.
    assert [name for name, service in services.items() if "ports" in service] == ["caddy", "mail"]
