"""Rooms: no folder of the product has more modules than one can read at a glance."""

from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PACKAGES = ("config", "games", "accounts", "lib")
MOST, FEWEST = 12, 3
# Folders whose layout Django prescribes.
OF_DJANGO = {"migrations", "management", "commands", "templatetags", "formats", *["de", "en", "fr"]}
OF_DJANGO |= {"zh_Hant", "__pycache__", "postgresql"}  # the last is a database backend: `base.py`


def folders() -> list[Path]:
    paths = [
        path
        for package in PACKAGES
        for path in (ROOT / package, *(ROOT / package).rglob("*"))
        if (path / "__init__.py").exists() and OF_DJANGO.isdisjoint(path.relative_to(ROOT).parts)
    ]
    assert len(paths) > 50
    return paths


def contents(folder: Path) -> Counter[str]:
    """How many modules a folder has, and how many rooms."""
    counted: Counter[str] = Counter()
    for path in folder.iterdir():
        if (path / "__init__.py").exists() and path.name not in OF_DJANGO:
            counted["rooms"] += 1
        elif path.suffix == ".py" and path.name != "__init__.py":
            counted["modules"] += 1
    return counted


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_folder_has_from_three_to_twelve_modules(folder: Path) -> None:
    counted = contents(folder)
    assert counted["modules"] <= MOST
    assert counted.total() >= FEWEST


@pytest.mark.parametrize("room", ["play", "notifications", "people", "competitions", "mail", "api"])
def test_the_architecture_page_names_every_folder_of_a_room(room: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition(f"### Inside `{room}`")[2].partition("\n#")[0]
    within = [
        path.name for path in (ROOT / "games" / room).iterdir() if (path / "__init__.py").exists()
    ]
    missing = {name for name in within if f"`{name}/`" not in table} - OF_DJANGO
    assert table and not missing


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_folder_says_what_is_in_it(folder: Path) -> None:
    first = (folder / "__init__.py").read_text(encoding="utf-8").partition("\n")[0]
    # The folder of all apps is no app.
    assert first.startswith('"""') or folder == ROOT / "games"
