"""The files of deploy/ name settings, commands and addresses that exist."""

import json
import os
import re
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from config.watch.checks import BEAT, WORKER
from tests import image
from tests.config.environment.test_settings import NAMES
from tests.preloaded import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NOT_OURS = {"POSTGRES_PASSWORD", "ESTAFETTE_HOST"}  # compose and Caddy read them


def test_the_sample_environment_names_every_setting_and_no_other() -> None:
    lines = (DEPLOY / "estafette.env.example").read_text()
    named = set(re.findall(r"^#?([A-Z_]+)=", lines, re.MULTILINE))
    assert named - NOT_OURS == set(NAMES)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_a_program_of_ours_with_few_rights(unit: Path) -> None:
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
    # The programs are in other places here.
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


def test_the_image_can_copy_the_database_that_compose_starts() -> None:
    """`pg_dump` must be of the server's version or a newer one."""
    client = re.search(r"postgresql-client-(\d+)", (DEPLOY / "Dockerfile").read_text())
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    server = services["database"]["image"].removeprefix("postgres:")
    assert client is not None and int(client[1]) >= int(server)


def test_compose_checks_the_health_of_worker_and_beat() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for part in (WORKER, BEAT):
        test = services[part]["healthcheck"]["test"]
        assert test == ["CMD", "python", "manage.py", "health", part]


def test_compose_starts_existing_commands_with_existing_settings() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert {"web", "worker", "beat", "database", "redis", "caddy", "migrate"} <= services.keys()
    for name in ("web", "worker", "beat", "migrate"):
        assert set(services[name]["environment"]) <= set(NAMES)
        assert services[name]["read_only"] and services[name]["cap_drop"] == ["ALL"]
    # Only the proxy reaches the web server; only this machine reaches the mail listener.
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert set(published) == {"caddy", "mail", "listener"}
    for name in ("mail", "listener"):
        assert services[name]["profiles"]
        assert all(port.startswith("127.0.0.1:") for port in published[name])


def test_compose_fills_in_what_the_file_of_settings_says() -> None:
    compose = (DEPLOY / "compose.yaml").read_text()
    named = set(re.findall(r"\$\{(\w+)", compose))
    # Compose reads these only from a file of this name, next to its own.
    assert yaml.safe_load(compose)["services"]["web"]["env_file"] == ".env"
    sample = (DEPLOY / "estafette.env.example").read_text()
    assert named == set(NOT_OURS) and all(f"\n{name}=" in sample for name in named)


def test_no_settings_are_copied_into_the_image_or_the_repository() -> None:
    assert {"**/.env", "**/*.env"} <= set((ROOT / ".dockerignore").read_text().splitlines())
    assert "deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_compose_has_a_place_for_backups_that_the_image_may_write_to() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    (folder,) = re.findall(r"mkdir -p (\S+) ", dockerfile)
    assert f"backups:{folder}" in compose["web"]["volumes"]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The script behind /usr/local/bin/estafette; its manage.py prints how it was called."""
    app = tmp_path / "app"
    shutil.copytree(DEPLOY, app / "deploy")
    (app / ".venv" / "bin").mkdir(parents=True)
    (app / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (app / "manage.py").write_text(
        "import json, os, sys\nprint(json.dumps([os.getcwd(), sys.argv[1:], dict(os.environ)]))\n"
    )
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "estafette").symlink_to(app / "deploy" / "estafette")
    # There is no such user here.
    runuser = bin / "runuser"
    runuser.write_text('#!/bin/sh\n[ "$1 $2 $3" = "-u estafette --" ] && shift 3 && exec "$@"\n')
    runuser.chmod(0o755)
    return bin


def test_a_command_gets_the_settings_of_the_service(installed: Path) -> None:
    done = subprocess.run(
        ["estafette", "backup", "/a folder"],
        env={
            "PATH": f"{installed}:{os.environ['PATH']}",
            "ESTAFETTE_ENV": str(DEPLOY / "estafette.env.example"),
        },
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    folder, arguments, environment = json.loads(done.stdout)
    assert Path(folder) == (installed.parent / "app").resolve()
    assert arguments == ["backup", "/a folder"]
    assert environment["VAR_DIR"] == "/var/lib/estafette"
    assert environment["DEFAULT_FROM_EMAIL"] == "Estafette <post@play.example.org>"
    assert environment["TRUSTED_PROXY_COUNT"] == "1"


def test_logrotate_knows_where_the_units_let_the_log_be_written() -> None:
    sample = (DEPLOY / "logrotate").read_text()
    example = (DEPLOY / "estafette.env.example").read_text()
    (log,) = re.findall(r"^#LOG_FILE=(.*)$", example, re.MULTILINE)
    assert f"\n{Path(log).parent}/*.log {{" in sample
    for unit in UNITS:
        assert f"\nLogsDirectory={Path(log).parent.name}\n" in unit.read_text()
