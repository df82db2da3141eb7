"""Pasted texts are read in a child process that a hostile text can only harm itself."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.play.pasted import reader, records, server, wire
from games.play.refusals import NotNow
from games.rules import registry
from games.rules.core.basics import refusals
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadRecord, BadSetup
from tests import tiers
from tests.play.match_helpers import SETUPS

SOUTH, NORTH = SETUPS["lattaque-10x10"]
RULES = registry.ruleset("lattaque-en")
RECORD = f'[System "lattaque-en"][SetupS "{SOUTH}"][SetupN "{NORTH}"] 1. a4-a5 j7-j6 *'


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """`start(program)`: a child that runs this program takes the place of the true one."""

    def run(program: str) -> None:
        monkeypatch.setattr(reader.reader, "program", program)
        reader.stop()

    yield run
    reader.stop()


def test_the_child_reads_a_record_as_this_process_does() -> None:
    assert reader.read_record(RECORD) == records.check_record(RECORD)


@pytest.mark.parametrize("preset", tiers.editions())
def test_it_reads_set_ups_of_every_edition(preset: str) -> None:
    rules = registry.ruleset(preset)
    for seat in rules.seats_setting_up:
        with pytest.raises(BadSetup):
            reader.read_setup(rules, seat, "?")


def test_an_unfinished_set_up_comes_back_in_canonical_text() -> None:
    assert reader.read_setup(RULES, Seat.SOUTH, SOUTH.lower()) == SOUTH
    begun = SOUTH.partition("/")[0] + "/10/10/10"
    assert reader.read_setup(RULES, Seat.SOUTH, begun) == begun


def test_refusals_are_returned_complete() -> None:
    bad_record = f"{RECORD[:-1]} a5-b6"
    bad_setup = SOUTH.replace("F", "Q").replace("B", "Z")
    for text in ("hello", bad_record, bad_record.replace(SOUTH, bad_setup)):
        with pytest.raises(BadRecord) as refusal:
            records.check_record(text)
        with pytest.raises(BadRecord) as there:
            reader.read_record(text)
        assert str(there.value) == str(refusal.value)
    with pytest.raises(BadSetup) as refused:
        reader.read_setup(RULES, Seat.SOUTH, bad_setup)
    faults = RULES.parse_setup(Seat.SOUTH, bad_setup)[1]
    assert list(map(str, refused.value.faults)) == list(map(str, faults))
    assert len(faults) > 1


def test_a_text_that_takes_too_long_is_refused_and_the_next_one_is_read(
    start: Callable[[str], None],
) -> None:
    endless = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from dataclasses import replace\n"
        "from games.play.pasted import server\n"
        "server.LIMITS = replace(server.LIMITS, cpu_seconds=1)\n"
        "read = server._read\n"
        "def endless(asked):\n"
        "    while 'endless' in asked.get('record', ''): pass\n"
        "    return read(asked)\n"
        "server._read = endless\n"
        "server.serve()\n"
    )
    start(endless)
    with pytest.raises(BadRecord, match="takes too long"):
        reader.read_record("endless")
    assert reader.read_record(RECORD).preset == "lattaque-en"


def test_a_killed_child_is_started_again() -> None:
    reader.read_record(RECORD)
    os.kill(reader.reader.process.pid, signal.SIGKILL)
    assert reader.read_record(RECORD).preset == "lattaque-en"


def test_without_a_child_the_sentence_says_to_try_again(start: Callable[[str], None]) -> None:
    start("raise SystemExit(1)")
    with pytest.raises(reader.ReaderAway, match="Try again in a minute"):
        reader.read_record(RECORD)


def test_a_third_request_is_refused_at_once() -> None:
    for _ in range(reader.MAX_WAITING):
        reader.reader.waiting.acquire()
    try:
        with pytest.raises(NotNow, match="Many texts are being read"):
            reader.read_record(RECORD)
    finally:
        for _ in range(reader.MAX_WAITING):
            reader.reader.waiting.release()
    assert reader.read_record(RECORD)


def test_a_child_process_can_open_no_file(start: Callable[[str], None]) -> None:
    curious = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from games.play.pasted import server\n"
        "from games.rules.core.basics.refusals import BadRecord\n"
        "def curious(asked):\n"
        "    try: open('/etc/passwd')\n"
        "    except OSError as error: raise BadRecord(error.strerror)\n"
        "server._read = curious\n"
        "server.serve()\n"
    )
    start(curious)
    with pytest.raises(BadRecord, match="Too many open files"):
        reader.read_record(RECORD)
    assert Path("/etc/passwd").exists()


def test_every_refusal_of_the_rules_can_be_serialized() -> None:
    """Each class is created without its own `__init__`, and keeps its sentence."""
    kinds = [each for each in vars(refusals).values() if isinstance(each, type)]
    assert len(kinds) > 5
    for kind in kinds:
        refusal = kind("%(count)s pieces", count=3)
        again = wire.load_refusal(wire.dump_refusal(refusal))
        assert type(again) is kind and str(again) == "3 pieces"


def test_the_server_sends_only_refusals_and_results() -> None:
    assert set(wire.load(server.answer(wire.dump({"record": RECORD})))) == {"record"}
    assert set(wire.load(server.answer(wire.dump({"record": ""})))) == {"refused"}
