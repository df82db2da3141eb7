"""A short run of `make chaos`: nothing that was acknowledged is lost, whatever is killed."""

from pathlib import Path

import pytest

from tests.chaos.run import run
from tests.servers import Postgres, Redis


@pytest.mark.servers
def test_whatever_is_killed_nothing_is_lost_or_doubled(
    postgres: Postgres, redis_server: Redis, tmp_path: Path
) -> None:
    # The run makes servers of its own, to kill them; the fixtures say whether there are any.
    outcome = run(20, people=4, matches=8, seed=1, log=tmp_path / "history.jsonl", tell=print)
    assert not outcome.faults
    assert outcome.deeds["ok"] > 10
    assert outcome.harm.total() >= 3
