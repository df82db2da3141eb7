"""The docs name existing files, commands, options, settings and messages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from config.roles import MODERATOR, OPERATOR, ORGANISER, ROLES
from tests.config.environment.test_settings import NAMES
from tests.config.test_deploy import DEPLOY, NOT_OURS
from tests.floors import at_least
from tests.preloaded import ROOT

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
HANDBOOK = sorted((ROOT / "docs" / "running").glob("*.md"))
CHECKED = [*HANDBOOK, *(path for path in DEPLOY.rglob("*") if path.is_file())]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# `manage.py up --workers 2`, or `estafette health` as an installation has it.
COMMAND = re.compile(
    r"(?:manage\.py|^estafette|`estafette|deploy/estafette) ([a-z_]+)([^\n`|&<>]*)", re.M
)
SETTING = re.compile(r"(?<![\w/.{-])\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=|`|\b)")
# Names of other programs.
OTHERS = {
    *("ERR_TOO_MANY_REDIRECTS", "CAP_NET_BIND_SERVICE", "AF_INET", "AF_INET6", "AF_UNIX"),
    *(
        "POSTGRES_USER",
        "POSTGRES_DB",
        "POSTGRES_HOST_AUTH_METHOD",
        "PYTHONDONTWRITEBYTECODE",
        "HTTP_HOST",
        "ESTAFETTE_WEB",
    ),
    "ESTAFETTE_ENV",
    "SSL_CERT",
}


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    bare = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in bare}


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_links_lead_to_existing_pages_and_headings(page: Path) -> None:
    for link in LINK.findall(page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_pages_named_by_the_program_exist() -> None:
    rooms = ("config", "accounts", "games", "lib", "tests", "deploy")
    files = [file for room in rooms for file in at_least(5, (ROOT / room).rglob("*"))]
    named = 0
    for file in [*files, ROOT / "CHANGELOG.md"]:
        if not file.is_file() or "__pycache__" in file.parts or file.suffix in (".png", ".mo"):
            continue
        text = file.read_text(errors="ignore")
        for page in re.findall(r"\bdocs/[\w/-]+\.md\b", text) if "docs/" in text else ():
            assert (ROOT / page).exists(), f"{place(file)} names {page}."
            named += 1
    assert named > 20


def test_every_page_of_the_handbook_is_in_its_index() -> None:
    index = (ROOT / "docs" / "running" / "index.md").read_text()
    missing = [page.name for page in HANDBOOK if f"({page.name})" not in index]
    assert missing == ["index.md"]


@pytest.mark.parametrize("file", [*CHECKED, ROOT / "README.md"], ids=place)
def test_commands_and_their_options_exist(file: Path) -> None:
    for name, rest in COMMAND.findall(file.read_text()):
        commands = get_commands()
        assert name in commands, f"{name}{rest}"
        options = load_command_class(commands[name], name).create_parser("manage.py", name)
        for option in re.findall(r" (--[a-z-]+)", rest):
            assert option in options._option_string_actions, f"{name}{rest}"


@pytest.mark.parametrize("file", CHECKED, ids=place)
def test_named_settings_exist(file: Path) -> None:
    named = {name.removesuffix("_FILE") for name in SETTING.findall(file.read_text())}
    assert named - {"NAME"} <= {*NAMES, *NOT_OURS, *OTHERS, "LOG"}


def test_the_table_of_settings_is_complete() -> None:
    page = (ROOT / "docs" / "running" / "settings.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)} == set(NAMES)


def test_the_table_of_roles_is_complete() -> None:
    page = (ROOT / "docs" / "running" / "staff.md").read_text()
    rows = [line.split("|")[2:6] for line in page.splitlines() if line.startswith("| ")]
    named = set()
    for permissions, *marks in rows:
        for role, mark in zip((MODERATOR, OPERATOR, ORGANISER), marks, strict=True):
            if mark.strip() == "yes":
                named |= {(role, word) for word in re.findall(r"\w+(?=`)", permissions)}
    given = {
        (role, name)
        for role, apps in ROLES.items()
        for names in apps.values()
        for name in names
        if not name.startswith("view_")
    }
    assert {(role, name) for role, name in named if not name.startswith("view_")} == given


def test_named_files_of_deploy_exist() -> None:
    pattern = r"\bdeploy/[\w./-]*[\w]"
    named = {(page, name) for page in HANDBOOK for name in re.findall(pattern, page.read_text())}
    for page, name in at_least(10, named):
        assert (ROOT / name).exists() or name == "deploy/.env", f"{page.name}: {name}"


# --- The sentences of troubleshooting


def symptoms() -> Iterator[tuple[str, str]]:
    """The sentences in the first column of a table: in backticks, or in quotation marks."""
    page = (ROOT / "docs" / "running" / "troubleshooting.md").read_text()
    for line in page.splitlines():
        if line.startswith("| ") and not line.startswith("| message"):
            yield from re.findall(r"`([^`]+)`|“([^”]+)”", line.split(" | ")[0])


SENTENCES = [one or other for one, other in symptoms()]
# Said by Django, SQLite, PostgreSQL, Caddy and Compose.
OF_OTHERS = (
    *("Bad Request (400)", "Invalid HTTP_HOST header", "no such table", "relation …"),
    *("unrecognized subdirective", "required variable"),
)


@pytest.fixture(scope="module")
def texts() -> str:
    """All texts of the program: strings, with … for values of f-strings, and templates."""
    words = []
    for room in ("config", "games", "accounts", "lib"):
        for file in at_least(5, (ROOT / room).rglob("*.py")):
            words += list(strings(ast.parse(file.read_text())))
    words += [file.read_text() for file in at_least(50, (ROOT / "templates").rglob("*.html"))]
    return "\n".join(words)


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.sub(r"%\(\w+\)s|%[sd]|%\.0f", "…", node.value)


def test_there_are_many_symptoms() -> None:
    assert len(SENTENCES) > 40


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_symptom_is_quoted_from_the_program(sentence: str, texts: str) -> None:
    if sentence.startswith(OF_OTHERS):
        return
    for part in re.split(r"…\.? ?", sentence):
        # The variable part may be a word, so the rest is compared without punctuation.
        assert part.strip(" ():;,.").strip() in texts, part
