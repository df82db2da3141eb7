"""`make scale` measures every address of the service, or says why it does not."""

import ast
from pathlib import Path

from tests.floors import at_least
from tests.secrecy.channels import DOORS, FRAME, URLS

FILE = Path(__file__).parent / "measured.py"
# Its module needs an app that is installed for benchmarks alone.
TREE = ast.parse(FILE.read_text())
TEXTS = [node.value for node in ast.walk(TREE) if isinstance(node, ast.Constant)]
NAMED = {word for text in TEXTS if isinstance(text, str) for word in text.split()}


def test_every_address_is_measured_or_left_out_for_a_reason() -> None:
    known = {name for name, entry in URLS.items() if entry not in (DOORS, FRAME)}
    # Lists and rows of the admin are those of its registry.
    wanted = at_least(100, (name for name in known if not name.startswith("admin")))
    assert not set(wanted) - NAMED
