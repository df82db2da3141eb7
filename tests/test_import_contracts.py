"""Import contracts refuse a module that would open positions where nobody may know them."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.floors import at_least

ROOT = Path(settings.BASE_DIR)
PACKAGES = ("config", "games", "accounts", "lib")

# A planted module, what it takes, and the module whose import must be refused.
STORE = "games.play.record.match_store"
REFUSED = {
    "games/archive/planted.py": (f"from {STORE} import load_match", STORE),
    "games/archive/planted_alias.py": ("from games.play.record import match_store as s", STORE),
    "games/guide/planted.py": (f"import {STORE}", STORE),
    "games/api/reading/planted.py": (f"from {STORE} import load_match", STORE),
    "games/api/reading/planted_ply.py": (
        "from games.play.models.ply import Ply",
        "games.play.models.ply",
    ),
    "games/play/views/planted.py": (f"from {STORE} import load_match", STORE),
    "games/notifications/channels/planted_feed.py": (
        "from games.play.models.ply import Ply",
        "games.play.models.ply",
    ),
    "games/lobby/planted.py": (
        "from games.play.record.sealed.sealing import unseal",
        "games.play.record.sealed.sealing",
    ),
    "games/archive/planted_cipher.py": (
        "from lib.sealing import unseal_bytes",
        "lib.sealing",
    ),
    "games/archive/planted_command.py": (
        "from games.play.commands.moves import MatchState",
        "games.play.commands.moves",
    ),
    "games/notifications/channels/planted_push.py": (
        "from games.play.record.sealed import drafts",
        "games.play.record.sealed.drafts",
    ),
    "games/plan_language/planted.py": ("import games.rules.registry", "games.rules"),
    "games/play/plans/planted.py": (f"from {STORE} import load_match", STORE),
    "games/mail/reading/planted.py": ("from django.conf import settings", "django"),
    "games/bots/search/planted.py": (
        "from games.rules.core.state.position import Position",
        "games.rules.core.state.position",
    ),
    "games/bots/search/planted_engine.py": (
        "from games.rules.core.engine import advance",
        "games.rules.core.engine",
    ),
    "games/bots/search/planted_match.py": (
        "from games.play.record.match_view import view_match",
        "games.play.record.match_view",
    ),
    "games/bots/search/planted_arena.py": (
        "from games.bots.arena.match import Referee",
        "games.bots.arena.match",
    ),
    "games/bots/search/planted_clock.py": ("import time", "time"),
    "games/presentation/planted.py": (
        "from games.rules.core.state.position import Position",
        "games.rules.core.state.position",
    ),
}
INNOCENT = {
    "games/bots/search/innocent.py": "from games.rules.core.imagined_positions import imagine",
    "games/archive/innocent.py": "from games.play.record.match_view import view_match",
    "games/guide/innocent.py": "from games.play.board.boards import table",
    "games/play/views/innocent.py": "from games.play.commands.moves import submit_move",
}


def module_of(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def copy_of_the_code(folder: Path) -> Path:
    """The modules as they stand, without tests, and the contracts."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint(folder: Path, planted: dict[str, str]) -> tuple[int, str]:
    """The exit code of import-linter with these modules planted, and all that it says in a line."""
    for path, text in planted.items():
        (folder / path).write_text(f'"""Planted by a test."""\n\n{text}\n', encoding="utf-8")
    lint_imports = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [lint_imports, "--no-cache", "--no-logo"], cwd=folder, capture_output=True, text=True
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says of all the planted modules; one run, since it takes seconds."""
    folder = copy_of_the_code(tmp_path_factory.mktemp("planted"))
    code, refused = lint(folder, {path: text for path, (text, _wanted) in REFUSED.items()})
    assert code != 0
    return refused


@pytest.mark.parametrize("path", REFUSED)
def test_a_planted_import_is_refused(refusals: str, path: str) -> None:
    _text, wanted = REFUSED[path]
    assert f"{module_of(path)} -> {wanted}" in refusals


def test_allowed_imports_are_accepted(tmp_path: Path) -> None:
    code, refused = lint(copy_of_the_code(tmp_path), INNOCENT)
    assert code == 0, refused
    assert "0 broken" in refused


# --- names borrowed through an allowed module, which no import graph shows


def public_names(path: Path) -> set[str]:
    """The names that a module defines itself and does not keep to itself."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {name.id for name in node.targets if isinstance(name, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("_")}


GUARDED = {
    module_of(str(path.relative_to(ROOT))): public_names(path)
    for room in ("record", "commands")
    for path in at_least(5, (ROOT / "games/play" / room).rglob("[!_]*.py"))
}


def borrowed(source: str) -> Iterator[str]:
    """What a module takes from the record and the commands that is not theirs to give."""
    # To parse a module takes longest; this one imports nothing of them.
    if not any(module.rpartition(".")[0] in source for module in GUARDED):
        return
    tree, known = ast.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in GUARDED:
            for name in node.names:
                if name.name not in GUARDED[node.module]:
                    yield f"{node.module}.{name.name}"
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                if (module := f"{node.module}.{name.name}") in GUARDED:
                    known[name.asname or name.name] = module
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = known.get(node.value.id)
            if module and node.attr not in GUARDED[module]:
                yield f"{module}.{node.attr}"


def test_no_module_borrows_forbidden_names_from_the_record() -> None:
    """`match_view.match_store` would open positions with every import contract kept."""
    imported = {
        f"{path.relative_to(ROOT)}: {name}"
        for package in PACKAGES
        for path in at_least(5, (ROOT / package).rglob("*.py"))
        for name in borrowed(path.read_text(encoding="utf-8"))
    }
    assert imported == set()


@pytest.mark.parametrize(
    ("source", "taken"),
    [
        ("from games.play.record.match_view import match_store", "match_view.match_store"),
        ("from games.play.record import match_view\nmatch_view._view", "match_view._view"),
        ("from games.play.commands import moves as m\nm.match_store", "moves.match_store"),
    ],
)
def test_a_borrowed_name_is_detected(source: str, taken: str) -> None:
    assert [name.split(".", 3)[-1] for name in borrowed(source)] == [taken]
