"""A test is found from its module: a folder of tests has the name of the folder that it tests."""

from pathlib import Path

import pytest
from django.conf import settings

from tests.floors import at_least

ROOT = Path(settings.BASE_DIR)
APPS = {path.name: path for path in (ROOT / "games").iterdir() if path.is_dir()}
ROOMS = {name: ROOT / name for name in ("accounts", "config", "lib")} | APPS
# They test the product as a whole, or are no tests.
OF_ALL = {
    *("bench", "browser", "chaos", "patterns", "races", "secrecy", "simulation", "sixth_game"),
    "soak",
}
# What a folder contains in addition to tests of a room: texts and programs for the tests.
HELPERS = {"rules/golden", "rules/oracle"}


def folders(under: Path) -> list[Path]:
    folder_paths = [path for path in under.rglob("*") if path.is_dir() and list(path.glob("*.py"))]
    return [path for path in folder_paths if path.name != "__pycache__"]


def test_every_folder_of_tests_has_a_room_of_that_name() -> None:
    tests = ROOT / "tests"
    there = {path.name for path in tests.iterdir() if path.is_dir() and list(path.glob("*.py"))}
    assert there - OF_ALL - {"__pycache__"} <= ROOMS.keys()


@pytest.mark.parametrize("room", sorted(ROOMS.keys() - {"__pycache__"}))
def test_a_folder_within_has_the_name_of_a_folder_or_module(room: str) -> None:
    place = ROOT / "tests" / room
    for folder in folders(place) if place.exists() else []:
        name = str(folder.relative_to(place))
        product = ROOMS[room] / name
        known = product.is_dir() or product.with_suffix(".py").exists()
        assert known or f"{room}/{name}" in HELPERS, f"tests/{room}/{name} tests no such folder."


def test_rooms_with_subfolders_are_covered() -> None:
    at_least(20, [folder for room in ROOMS for folder in folders(ROOT / "tests" / room)])
