"""The files of deploy/ name settings, commands and addresses that exist."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from configparser import RawConfigParser
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from config.watch.checks import PARTS, WEB
from tests import image
from tests.config.environment.test_settings import NAMES
from tests.floors import at_least
from tests.preloaded import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
NOT_OURS = {"ESTAFETTE_HOST", "COMPOSE_PROFILES"}  # compose and Caddy read them
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service["image"] == "estafette"]


def test_the_sample_environment_names_every_setting_and_no_other() -> None:
    lines = (DEPLOY / "estafette.env.example").read_text()
    named = set(re.findall(r"^#?([A-Z_]+)=", lines, re.MULTILINE))
    assert named - NOT_OURS == set(NAMES)
    assert "COMPOSE_PROFILES" not in named, "It has a sample of its own."


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
    server = re.match(r"postgres:(\d+)", SERVICES["database"]["image"])
    assert client and server and int(client[1]) >= int(server[1])


def test_images_are_pinned_by_version_and_digest() -> None:
    images = re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    images += [service["image"] for name, service in SERVICES.items() if name not in OURS]
    for image_name in at_least(6, images):
        assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}", image_name)


def test_each_service_is_checked_by_what_it_does() -> None:
    tests = {name: SERVICES[name].get("healthcheck", {}) for name in OURS}
    for part in PARTS:
        if part != WEB:
            name = part
            assert tests[name]["test"] == ["CMD", "python", "manage.py", "health", part]
    # The image's own check asks a web server.
    assert tests["web"] == {} and "/health/live" in (DEPLOY / "Dockerfile").read_text()
    others = set(OURS) - set(PARTS)
    assert others == {"prepare", "backup"}
    assert all(tests[name] == {"disable": True} for name in others)


def test_no_log_can_fill_the_disk() -> None:
    for service in at_least(10, SERVICES.values()):
        assert service["logging"]["options"].keys() >= {"max-size", "max-file"}


def test_compose_starts_existing_commands_with_existing_settings() -> None:
    assert {"database", "redis", "caddy"} <= SERVICES.keys()
    for name in at_least(7, OURS):
        service = SERVICES[name]
        assert set(service["environment"]) <= set(NAMES)
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        program, *arguments = (service.get("command") or "celery").split()
        assert program in ("python", "celery") or os.access(ROOT / program, os.X_OK), name
        assert program != "python" or arguments[1] in get_commands()
    # Only the proxy reaches the web server; only this machine reaches the mail listener.
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert set(published) == {"caddy", "mail", "listener"}
    for name in ("mail", "listener"):
        assert SERVICES[name]["profiles"]
        assert all(port.startswith("127.0.0.1:") for port in published[name])


def test_only_our_containers_reach_the_database() -> None:
    """It has no password: it listens at a Unix socket in a volume, and at its own loopback."""
    assert SERVICES["database"]["command"] == "postgres -c listen_addresses=127.0.0.1"
    assert "ports" not in SERVICES["database"]
    sharing = {
        name
        for name, service in SERVICES.items()
        if any(str(each).startswith("database_socket:") for each in service.get("volumes", ()))
    }
    assert sharing == {"database", *OURS}


def test_all_data_is_in_declared_volumes() -> None:
    mounted = {
        str(volume).partition(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", ())
    }
    assert mounted - {"./Caddyfile"} == set(COMPOSE["volumes"])


def test_static_files_of_the_old_version_stay_at_an_upgrade() -> None:
    """They are collected into the volume of VAR_DIR, at each start of a version."""
    script = (ROOT / SERVICES["prepare"]["command"]).read_text()
    assert "\npython manage.py collectstatic --noinput\n" in script and "--clear" not in script
    assert "STATIC_DIR" not in (DEPLOY / "Dockerfile").read_text()
    assert "state:/var/lib/estafette" in SERVICES["prepare"]["volumes"]


def test_compose_uses_values_of_the_settings_file() -> None:
    named = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    # Compose reads these only from a file of this name, next to its own.
    assert SERVICES["web"]["env_file"] == ".env"
    sample = (DEPLOY / "compose.env.example").read_text()
    assert named == {"ESTAFETTE_HOST"} and "\nESTAFETTE_HOST=localhost\n" in sample


def test_the_sample_for_compose_starts_without_a_change(tmp_path: Path) -> None:
    sample = (DEPLOY / "compose.env.example").read_text()
    given = dict(re.findall(r"^([A-Z_]+)=(.*)$", sample, re.MULTILINE))
    assert set(given) <= {*NAMES, *NOT_OURS}
    given |= {name: str(value) for name, value in SERVICES["web"]["environment"].items()}
    given["SITE_URL"] = f"https://{given['ESTAFETTE_HOST']}"
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path)} | given
    code = "from config import settings; print(settings.DATABASES['default'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "'HOST': '/run/postgresql'" in done.stdout and "'NAME': 'estafette'" in done.stdout


@pytest.fixture
def recording_programs(tmp_path: Path) -> Path:
    """A folder with programs that only note how they were called, in the file `calls`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("docker", "git", "python", "sleep"):
        program = folder / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/calls\n')
        program.chmod(0o755)
    return folder


def test_an_upgrade_copies_the_database_before_it_fetches_anything(
    recording_programs: Path, tmp_path: Path
) -> None:
    subprocess.run(
        [DEPLOY / "upgrade-compose"],
        env={"PATH": f"{recording_programs}:{os.environ['PATH']}"},
        check=True,
    )
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [call.split(" -f deploy/compose.yaml ")[-1] for call in calls] == [
        "exec -T worker python manage.py backup /backups",
        "git pull --ff-only",
        "up -d --build --remove-orphans",
    ]


def test_an_upgrade_without_a_backup_does_nothing(recording_programs: Path, tmp_path: Path) -> None:
    (recording_programs / "docker").write_text("#!/bin/sh\nexit 1\n")
    done = subprocess.run(
        [DEPLOY / "upgrade-compose"], env={"PATH": f"{recording_programs}:{os.environ['PATH']}"}
    )
    assert done.returncode and not (tmp_path / "calls").exists()


@pytest.mark.parametrize(
    ("at", "seconds"),
    [("03:14:59", 1), ("03:15:00", 86_400), ("03:15:01", 86_399), ("00:00", 11_700)],
)
def test_a_backup_is_made_every_night_and_old_ones_are_deleted(
    recording_programs: Path, tmp_path: Path, at: str, seconds: int
) -> None:
    now = subprocess.check_output(["date", "-u", "-d", f"2026-11-26 {at}", "+%s"], text=True)
    calls, backups = tmp_path / "calls", tmp_path / "backups"
    (recording_programs / "date").write_text(f"#!/bin/sh\necho {now}")
    (recording_programs / "date").chmod(0o755)
    # The second night does not come.
    with (recording_programs / "sleep").open("a") as sleep:
        sleep.write(f'if [ "$(grep -c sleep {calls})" = 2 ]; then kill "$PPID"; fi\n')
    backups.mkdir()
    old, new = backups / "estafette-old.dump", backups / "estafette-new.dump"
    for file in (old, new):
        file.touch()
    os.utime(old, (0, 0))
    done = subprocess.run(
        [DEPLOY / "container" / "backup-nightly", str(backups)],
        env={"PATH": f"{recording_programs}:{os.environ['PATH']}"},
    )
    assert done.returncode == 0
    night = [f"sleep {seconds}", f"python manage.py backup {backups}"]
    assert calls.read_text().splitlines() == [*night, f"sleep {seconds}"]
    assert list(backups.iterdir()) == [new]


def test_the_newest_backup_is_verified_on_sundays(recording_programs: Path, tmp_path: Path) -> None:
    calls, backups = tmp_path / "calls", tmp_path / "backups"
    backups.mkdir()
    for number, name in enumerate(("20261121T031500Z.dump", "20261122T031500Z.dump"), start=1):
        file = backups / f"estafette-{name}"
        for each in (file, file.with_name(f"{file.name}.json")):
            each.touch()
            os.utime(each, (time.time() - 10 + number,) * 2)
    sunday = subprocess.check_output(["date", "-u", "-d", "2026-11-22 03:15", "+%s"], text=True)
    (recording_programs / "date").write_text(f"#!/bin/sh\necho {sunday}")
    (recording_programs / "date").chmod(0o755)
    with (recording_programs / "sleep").open("a") as sleep:
        sleep.write(f'if [ "$(grep -c sleep {calls})" = 2 ]; then kill "$PPID"; fi\n')
    subprocess.run(
        [DEPLOY / "container" / "backup-nightly", str(backups)],
        env={"PATH": f"{recording_programs}:{os.environ['PATH']}"},
        check=True,
    )
    assert f"python manage.py verify_backup {file}" in calls.read_text().splitlines()


def test_cron_finds_every_program_of_its_jobs(tmp_path: Path) -> None:
    lines = (DEPLOY / "cron").read_text().splitlines()
    jobs = [line for line in lines if re.match(r"[\d*]", line)]
    assert len(jobs) == 3 and not any("%" in job for job in jobs)
    assert all(job.split()[5] == "root" for job in jobs)
    (path,) = [line.removeprefix("PATH=") for line in lines if line.startswith("PATH=")]
    assert {"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"} <= set(path.split(":"))


def test_the_command_finds_its_programs_without_a_path_to_them(
    installed: Path, tmp_path: Path
) -> None:
    """As Debian's cron calls it, if the PATH of the file is missing."""
    (installed / "runuser").unlink()
    (tmp_path / "env").write_text("MAIL_DOMAIN=a.example\n")
    done = subprocess.run(
        [installed / "estafette", "health"],
        env={"PATH": "/usr/bin:/bin", "ESTAFETTE_ENV": str(tmp_path / "env")},
        capture_output=True,
        text=True,
    )
    # As root it needs the user `estafette`, which a machine without the service lacks.
    assert "not found" not in done.stderr
    assert done.returncode == 0 or "user estafette" in done.stderr


def test_no_settings_are_copied_into_the_image_or_the_repository() -> None:
    assert {".git/*", "**/.env", "**/*.env"} <= set(
        (ROOT / ".dockerignore").read_text().splitlines()
    )
    assert "deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_compose_has_a_writable_place_for_backups() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    (folder,) = re.findall(r"mkdir -p (\S+) ", dockerfile)
    assert f"backups:{folder}" in SERVICES["web"]["volumes"]


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


def test_a_setting_given_to_a_command_overrides_the_file(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "env").write_text("DATABASE_URL=postgres:///estafette\nMAIL_DOMAIN=a.example\n")
    odd = "postgres:///estafette?options=-c%20lock_timeout%3D5s&a='b \"c$PATH`"
    done = subprocess.run(
        ["estafette", "migrate"],
        env={
            "PATH": f"{installed}:{os.environ['PATH']}",
            "ESTAFETTE_ENV": str(tmp_path / "env"),
            "DATABASE_URL": odd,
        },
        capture_output=True,
        text=True,
    )
    _folder, _arguments, environment = json.loads(done.stdout)
    assert environment["DATABASE_URL"] == odd and environment["MAIL_DOMAIN"] == "a.example"


def test_logrotate_covers_the_logs_that_the_units_write() -> None:
    sample = (DEPLOY / "logrotate").read_text()
    example = (DEPLOY / "estafette.env.example").read_text()
    (log,) = re.findall(r"^#LOG_FILE=(.*)$", example, re.MULTILINE)
    assert f"\n{Path(log).parent}/*.log {{" in sample
    for unit in UNITS:
        assert f"\nLogsDirectory={Path(log).parent.name}\n" in unit.read_text()
