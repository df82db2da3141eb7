"""docs/security-requirements.md has each requirement of OWASP ASVS 5.0, level 2, with evidence."""

import re

import pytest

from tests.preloaded import ROOT

# By chapter and section of version 5.0.0: the number of requirements of the levels 1 and 2. Within
# a section they are numbered from 1 on without a gap; those of level 3 come after them.
REQUIREMENTS = {
    1: {1: 2, 2: 9, 3: 11, 4: 3, 5: 2},
    2: {1: 3, 2: 3, 3: 4, 4: 1},
    3: {2: 2, 3: 4, 4: 6, 5: 5, 7: 2},
    4: {1: 3, 2: 1, 3: 2, 4: 4},
    5: {1: 1, 2: 3, 3: 2, 4: 3},
    6: {1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4},
    7: {1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2},
    8: {1: 2, 2: 3, 3: 1, 4: 1},
    9: {1: 3, 2: 4},
    10: {1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3},
    11: {1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1},
    12: {1: 3, 2: 2, 3: 4},
    13: {1: 1, 2: 5, 3: 2, 4: 5},
    14: {1: 2, 2: 4, 3: 3},
    15: {1: 3, 2: 3, 3: 7},
    16: {1: 1, 2: 5, 3: 4, 4: 3, 5: 3},
    17: {1: 1, 2: 4, 3: 2},
}
NUMBERS = [
    f"{chapter}.{section}.{number}"
    for chapter, sections in REQUIREMENTS.items()
    for section, count in sections.items()
    for number in range(1, count + 1)
]
VERDICTS = ("pass", "n.a.", "deviation")
MIN_REASON_CHARACTERS = 15

PAGE = (ROOT / "docs" / "security-requirements.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| \d", line)
]


def test_the_page_has_the_requirements_of_level_2_in_their_order() -> None:
    assert len(NUMBERS) == 253
    assert [row[0] for row in ROWS] == NUMBERS


@pytest.mark.parametrize("chapter", REQUIREMENTS)
def test_each_line_has_subject_verdict_and_evidence(chapter: int) -> None:
    rows = [row for row in ROWS if row[0].startswith(f"{chapter}.")]
    assert len(rows) == sum(REQUIREMENTS[chapter].values())
    for number, subject, verdict, evidence in rows:
        assert 2 <= len(subject.split()) <= 8, number
        assert verdict in VERDICTS, number
        if verdict == "pass":
            paths = [path for path in re.findall(r"`([^`]+)`", evidence) if is_path(path)]
            assert paths, f"{number} names no file of this repository."
            assert not [path for path in paths if not (ROOT / path).is_file()], number
        else:
            assert len(evidence) >= MIN_REASON_CHARACTERS, number


def is_path(text: str) -> bool:
    """Whether a text in backticks is meant as the path of a file."""
    return "/" in text or text in ("Makefile", ".dockerignore") or bool(re.search(r"\.\w+$", text))


def test_the_counts_are_those_of_the_lines() -> None:
    counts = {verdict: sum(row[2] == verdict for row in ROWS) for verdict in VERDICTS}
    sentence = "{pass} pass, {n.a.} do not apply, {deviation} are deviations; none is open."
    for verdict, count in counts.items():
        sentence = sentence.replace(f"{{{verdict}}}", str(count))
    assert sentence in PAGE
