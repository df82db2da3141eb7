"""Whatever takes turns has its turn, and so does every known pair of worlds."""

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from tests import rotation
from tests.rotation import ON_POSTGRESQL, TURNS
from tests.secrecy import shares
from tests.secrecy.stories import TRUTHS

MARK = re.compile(r"mark\.rotated\((\d+)\)")
MARKS = {
    mark
    for path in Path(__file__).parent.rglob("test_*.py")
    for mark in MARK.findall(path.read_text())
}
PARTS = sorted({ON_POSTGRESQL, *map(int, MARKS)})


@pytest.mark.parametrize("parts", PARTS)
def test_each_test_runs_once_in_as_many_turns_as_there_are_parts(
    parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived: Counter[int] = Counter()
    for turn in range(TURNS):
        monkeypatch.setenv("ROTATION", str(turn))
        lived.update(n for n in range(2 * parts) if rotation.has_its_turn("test_a.py", n, parts))
    assert lived == Counter(dict.fromkeys(range(2 * parts), TURNS // parts))
    assert TURNS % parts == 0


def test_all_of_them_run_where_everything_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROTATION", rotation.EVERYTHING)
    assert all(rotation.has_its_turn("test_a.py", n, parts) for n in range(9) for parts in PARTS)


def test_every_known_pair_of_worlds_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TWIN_PAIRS", "TWIN_SEED"):
        monkeypatch.delenv(name, raising=False)
    lived: Counter[tuple[int, int]] = Counter()
    for turn in range(TURNS):
        monkeypatch.setenv("ROTATION", str(turn))
        share = shares.of_this_run(22, TRUTHS)
        lived.update(product(share.numbers, share.sides))
    known = [*product(range(shares.KNOWN), range(1, TRUTHS))]
    assert lived.keys() == set(known)
    assert len(set(lived.values())) == 1
