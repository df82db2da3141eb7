"""Rewrites the golden games: `python -m tests.rules.golden --write`; review the diff."""

import sys

from games.rules.registry import editions
from tests.rules.golden.games import file_of
from tests.rules.golden.transcript import transcript

if sys.argv[1:] != ["--write"]:
    sys.exit(__doc__)
for rules in editions():
    file_of(rules).write_text(transcript(rules), encoding="utf-8")
print(f"{len(editions())} games written; `git diff` says what has changed.")
