"""`python -m tests.image`: builds what deploy/Dockerfile describes, without Docker, and starts it.

The marked steps run as a script in a folder of their own, on a copy of what is committed. Then the
services of compose.yaml are started with its commands, and each is asked by its health check.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from tests.preloaded import ROOT
from tests.servers import free_port, wait_for

STEPS = re.compile(r"# begin (\w+)\n(.*?)# end \1", re.DOTALL)


def steps(dockerfile: str) -> list[str]:
    """The commands of the RUN lines between the marks."""
    return [
        line.removeprefix("RUN ")
        for _name, lines in STEPS.findall(dockerfile)
        for line in lines.strip().splitlines()
    ]


STARTED = ("web", "worker", "house", "beat", "listener")


def commands(compose: str) -> dict[str, list[str]]:
    """What each service is started with; [] is the image's own command."""
    services = yaml.safe_load(compose)["services"]
    named = {name: services[name].get("command") for name in ("prepare", *STARTED)}
    return {name: shlex.split(line) if line else [] for name, line in named.items()}


def health_checks(compose: str) -> dict[str, list[str]]:
    """The health check of each service that has one of its own."""
    services = yaml.safe_load(compose)["services"]
    tests = {name: services[name].get("healthcheck", {}).get("test") for name in STARTED}
    return {name: test[1:] for name, test in tests.items() if test}


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="estafette-image-"))
    try:
        return build_and_start(folder / "app", folder / "state")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_and_start(app: Path, state: Path) -> int:
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(app)], check=True)
    state.mkdir()
    port = free_port()
    environment = {
        "PATH": f"{app}/.venv/bin:{os.environ['PATH']}",
        "HOME": os.environ["HOME"],
        "VAR_DIR": str(state),
        "HASHED_STATIC": "true",
        "WEB_URL": f"http://127.0.0.1:{port}",
        "MAIL_LISTEN": f"lmtp://127.0.0.1:{free_port()}",
        "C_FORCE_ROOT": "true",
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
    }
    for step in steps(dockerfile):
        line = step.replace("/app/", f"{app}/").replace(
            "python -m venv", f"{sys.executable} -m venv"
        )
        print(f"+ {line}", flush=True)
        subprocess.run(["sh", "-c", line], cwd=app, env=environment, check=True)
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    started = commands(compose)
    subprocess.run(started.pop("prepare"), cwd=app, env=environment, check=True)
    started["web"] = ["python", "manage.py", "serve", "--port", str(port), "--processes", "2"]
    check = re.search(r"urlopen\(\'(\S+?)\'", dockerfile)
    assert check is not None
    alive = check[1].replace(":8000", f":{port}")
    processes = {
        name: subprocess.Popen(command, cwd=app, env=environment)
        for name, command in started.items()
    }
    try:
        probe = f"import urllib.request as r; r.urlopen('{alive}', timeout=5)"
        ask = ["python", "-c", probe]
        wait_for(
            lambda: subprocess.run(ask, env=environment, capture_output=True).returncode == 0,
            "The image's health check should pass.",
            120,
        )
        wait_for(lambda: heartbeat(app, environment), "The worker should write a heartbeat.", 120)
        ill = [name for name, process in processes.items() if process.poll() is not None]
        for name, test in health_checks(compose).items():
            if subprocess.run(test, cwd=app, env=environment).returncode:
                ill.append(name)
        print(f"Not well: {', '.join(ill)}." if ill else f"{', '.join(processes)}: all are well.")
        return len(ill)
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            process.wait(60)


def heartbeat(app: Path, environment: dict[str, str]) -> bool:
    code = "from games.play.models.time import Heartbeat; print(Heartbeat.objects.count())"
    done = subprocess.run(
        ["python", "manage.py", "shell", "--no-imports", "-c", code],
        cwd=app,
        env=environment,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip() == "1"


if __name__ == "__main__":
    sys.exit(main())
