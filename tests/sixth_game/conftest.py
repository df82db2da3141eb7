from collections.abc import Iterator

import pytest

from games.play.pasted import reader
from games.rules import registry
from tests.sixth_game import outpost

IN_THE_CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from games.rules import registry;"
    "from tests.sixth_game import outpost;"
    "registry.register(outpost.EDITIONS);"
    "from games.play.pasted.server import serve; serve()"
)


@pytest.fixture(autouse=True)
def outpost_is_registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Registers the game for the time of a test, in the child that reads texts as well."""
    monkeypatch.setattr(reader.reader, "program", IN_THE_CHILD)
    registry.register(outpost.EDITIONS)
    reader.stop()
    yield
    reader.stop()
    registry.withdraw(outpost.PLAIN.family)
