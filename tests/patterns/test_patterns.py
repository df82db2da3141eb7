"""Every regular expression of the service takes time linear in its text, counted in steps."""

import re
from pathlib import Path
from re import Pattern
from typing import Any

import pytest

from accounts.user_sessions import user_agents
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.inbound import imap_polling
from games.mail.reading.grammar import argument_commands
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.row_text import RowReader
from games.rules.proof import verify
from games.rules.registry import editions
from tests import tiers
from tests.floors import at_least
from tests.patterns.collected import Collection, Uses, collect
from tests.patterns.linear import superlinear
from tests.patterns.machine import Machine
from tests.patterns.possessive import may_fail_halfway
from tests.patterns.texts import Texts

MIN_PATTERNS = 140  # fewer are found if this test looks in the wrong places
SHORT_CHARACTERS = 10  # of a text on which `re` itself is asked, however long it would take

Examples = list[tuple[Pattern[Any], Uses]]


def _of_rows() -> Examples:
    readers = [
        reader
        for rules in editions()
        for reader in (rules.rows, RowReader(rules.setup_faces(Seat.SOUTH), water=False))
    ]
    return [(pattern, {"finditer", "follow"}) for pattern in {one.pattern for one in readers}]


def examples() -> dict[str, Examples]:
    """Patterns that functions make up when they are called, by module and function."""
    known = vocabulary()
    of_words = "games.mail.reading.grammar.vocabulary:Vocabulary"
    two_points = known.two_points
    assert two_points
    agents = (*user_agents.BROWSERS, *user_agents.SYSTEMS)
    return {
        "accounts.user_sessions.user_agents:_first": [
            (re.compile(one), {"search"}) for one, _name in agents
        ],
        "games.mail.inbound.imap_polling:field_pattern": [
            (imap_polling.field_pattern("Return-Path"), {"search"})
        ],
        "games.mail.reading.grammar.argument_commands:_invitation_patterns": [
            (pattern, {"fullmatch"})
            for _verb, pattern in argument_commands._invitation_patterns(known)
        ],
        f"{of_words}.in_row_text": [(known.in_row_text, {"fullmatch"})],
        f"{of_words}.row_text": [(known.row_text, {"fullmatch"})],
        f"{of_words}.nearly_a_row": [(known.nearly_a_row, {"match"})],
        f"{of_words}.two_points": [(two_points, {"fullmatch"})],
        "games.rules.core.basics.row_text:RowReader.__init__": _of_rows(),
        "games.rules.proof.verify:read_lines": [
            (re.compile(one), {"fullmatch"}) for one in (verify.LINES, *verify.FORMS.values())
        ],
        "games.rules.proof.verify:Ply.__init__": [
            (re.compile(one), {"fullmatch"})
            for one in (verify.PLY, *verify.SAID.values(), *verify.EXTRA.values())
        ],
    }


@pytest.fixture(scope="module")
def found_patterns() -> Collection:
    return collect(examples())


def test_every_pattern_of_the_source_is_found(found_patterns: Collection) -> None:
    assert found_patterns.missing == [], "Give examples of what these make up."
    assert set(examples()) <= found_patterns.scopes, "These examples belong to no code."
    assert len(found_patterns.patterns) >= MIN_PATTERNS


@pytest.mark.parametrize("thorough", tiers.parameters([False, True], fast=[False]))
def test_every_pattern_is_linear(found_patterns: Collection, thorough: bool) -> None:
    # Some are made in several places.
    uses: dict[Pattern[Any], Uses] = {}
    places: dict[Pattern[Any], list[str]] = {}
    for one in at_least(MIN_PATTERNS, found_patterns.patterns):
        uses.setdefault(one.pattern, set()).update(one.uses)
        places.setdefault(one.pattern, []).append(f"{one.where} ({', '.join(sorted(one.uses))})")
    texts = {
        pattern: superlinear(pattern, ways, thorough=thorough) for pattern, ways in uses.items()
    }
    slow = {pattern.pattern: (places[pattern], text) for pattern, text in texts.items() if text}
    assert slow == {}


def test_every_pattern_matches_alike_in_all_versions_of_python(
    found_patterns: Collection,
) -> None:
    patterns = at_least(MIN_PATTERNS, found_patterns.patterns)
    assert [one.where for one in patterns if may_fail_halfway(one.pattern)] == []


@pytest.mark.parametrize(
    ("pattern", "differs"),
    [
        (r"(?:ab?c)*+", True),
        (r"(?:(?!<!-- ).)*+<", True),
        (r"(?:[^<]|<(?!/))*+", True),
        (r"x(?:y|(a|b{2})++)", True),
        (r"[a-z]*+[0-9]++", False),
        (r"(?:<(?!/)|[^<])*+", False),
        (r"(?:[^a]++|a)*+(?:ab?c)*", False),
    ],
)
def test_a_pattern_that_matches_otherwise_in_an_older_python_is_detected(
    pattern: str, differs: bool
) -> None:
    assert may_fail_halfway(re.compile(pattern)) is differs


@pytest.mark.soak
def test_the_machine_finds_the_matches_that_re_finds(found_patterns: Collection) -> None:
    for pattern in at_least(
        MIN_PATTERNS, dict.fromkeys(one.pattern for one in found_patterns.patterns)
    ):
        machine = Machine(pattern)
        for text in at_least(1, Texts(machine)):
            short: Any = text.of_length(SHORT_CHARACTERS)
            if machine.is_bytes:
                short = short.encode("latin-1")
            match, whole = pattern.match(short), pattern.fullmatch(short)
            assert machine.match(short) == (match and match.span())
            assert machine.fullmatch(short) == (whole and whole.span())
            assert machine.finditer(short) == [each.span() for each in pattern.finditer(short)]


NONLINEAR = [
    (r"[0-9]+\.+", "finditer"),  # what stalled the service in records
    (r"(a+)+$", "match"),
    (r"(a|aa)+$", "match"),
    (r"(a|a)*b", "fullmatch"),
    (r"\s+$", "search"),
    (r"\s*,\s*", "finditer"),
    (r"\[[^\]]*\]", "finditer"),
    (r"a*a*b", "match"),
    (r"[a-m]+[h-z]+!", "match"),
    (r"(?:ab|ba)*(?:ba|ab)*c", "match"),
    (r"a(?=[^b]*c)", "finditer"),
    (r"<style>.*?</style>", "search"),
    (r'(?s)<symbol id="(\w+)".*?</symbol>', "finditer"),
    (r"{% load .*? %}", "finditer"),
    (r"X_(\w+_)?(SERVICE_HOST|(SERVICE_)?PORT(_\w+)?)", "fullmatch"),
    (rb"(?i)x\s*\s*y", "match"),
]
# A loop within a loop, alternatives, loops side by side, an end that is looked for, bytes.
FAST_NONLINEAR = [
    (r"[0-9]+\.+", "finditer"),
    (r"(a+)+$", "match"),
    (r"(a|a)*b", "fullmatch"),
    (r"a*a*b", "match"),
    (r"a(?=[^b]*c)", "finditer"),
    (rb"(?i)x\s*\s*y", "match"),
]


@pytest.mark.parametrize(("pattern", "use"), tiers.parameters(NONLINEAR, fast=FAST_NONLINEAR))
def test_a_nonlinear_pattern_is_detected(pattern: Any, use: str) -> None:
    for thorough in (False, True):
        assert superlinear(re.compile(pattern), {use}, thorough=thorough)


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"[0-9]+\.+", "match"),
        (r"(?<![0-9])[0-9]+\.+", "finditer"),
        (r"\[[^\[\]]*\]", "finditer"),
        (r"\s*,\s*|\s+", "finditer"),
        (r"a*+b", "match"),
        (r"(?:a(?:b|c)*d?)*e", "match"),
        (r"(?:\s|;[^\n]*(?:\n|$))*", "match"),
        (r"\S{30}(?=\S)", "finditer"),
        (r"[a-z]{0,100}x", "search"),
        (rb"(?im)^From:[^\r\n]*\bx", "finditer"),
    ],
)
def test_a_linear_pattern_is_accepted(pattern: Any, use: str) -> None:
    assert superlinear(re.compile(pattern), {use}) is None


SOURCE = """
import re
from re import compile
from dataclasses import dataclass

WORD = re.compile("[a-z]+")
PAIR = (re.compile("a"), re.compile("b"))
BY_SIGN = {sign: re.compile(sign) for sign in "xy"}

def made(sign):
    return re.compile(sign)

MADE = made("c")
LATER = made

def words(text, sign):
    if re.search(f"{sign}+", text):
        return WORD.sub("", text, count=1)
    return [one.fullmatch for one in PAIR] or re.split("[;,]", text) or WORD.match(text, 1)
"""


def test_patterns_are_found_with_their_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_package"
    package.mkdir()
    (package / "words.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    collection = collect({}, tmp_path, ["some_package"])
    uses = {one.pattern.pattern: one.uses for one in collection.patterns}
    assert uses == {
        "[a-z]+": {"search", "follow"},
        "a": {"finditer", "fullmatch"},
        "b": {"finditer", "fullmatch"},
        "x": {"finditer", "fullmatch"},
        "y": {"finditer", "fullmatch"},
        "c": {"finditer", "fullmatch"},
        "[;,]": {"finditer"},
    }
    # The import under another name, and what nobody can know without a call.
    assert collection.missing == ["some_package/words.py:3", "some_package/words.py:17"]
