"""Terms as a value: validated when made, stored in columns of the same names, shown as lines."""

import os
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import pytest

from games.lobby.models import Invitation
from games.play.models.match import Match
from games.play.terms import Terms
from games.play.words.terms import LINES, describe, lines
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from tests import preloaded
from tests.databases import copy_sqlite

NAMES = [term.name for term in fields(Terms)]
OTHERWISE: dict[str, Any] = {
    "preset": "lattaque-zh",
    "switches": {"limit": 60},
    "seat": Seat.NORTH,
    "as_set": True,
    "pace": "24h+4h^72h",
    "setup_pace": "7d",
    "soft": True,
    "vacations": True,
    "memory_aid": False,
    "rated": True,
    "listed": False,
}


def test_equal_terms_are_equal_values() -> None:
    terms = Terms(**OTHERWISE)
    assert terms == Terms(**OTHERWISE)
    assert len({terms, Terms(**OTHERWISE), replace(terms, soft=False)}) == 2
    with pytest.raises(FrozenInstanceError):
        terms.soft = False  # type: ignore[misc]


def test_options_that_make_another_preset_select_that_preset() -> None:
    spelled_out = Terms("lattaque-en", Terms("lattaque-zh").rules.options)
    assert (spelled_out.preset, spelled_out.switches) == ("lattaque-zh", {})
    assert spelled_out == Terms("lattaque-zh")


@pytest.mark.parametrize(
    ("pace", "setup_pace"), [("1d", "3d"), ("7d", "7d"), ("30d+3d", "30d"), ("none", "14d")]
)
def test_a_set_up_has_the_time_of_a_move_by_default(pace: str, setup_pace: str) -> None:
    assert Terms("lattaque-en", pace=pace).setup_pace == setup_pace
    assert Terms("lattaque-en", pace=pace, setup_pace="36h").setup_pace == "36h"


@pytest.mark.parametrize("rules", [{"preset": "chess"}, {"switches": {"lakes": "dry"}}])
def test_unknown_rules_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        Terms(**{"preset": "lattaque-en"} | rules)


@pytest.mark.parametrize(
    ("times", "why"),
    [
        ({"pace": "soon"}, "is no time control"),
        ({"setup_pace": "soon"}, "is no time control"),
        ({"setup_pace": "none"}, "needs a limit"),
    ],
)
def test_invalid_times_are_refused(times: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Terms("lattaque-en", **times)  # type: ignore[arg-type]


def test_every_term_has_a_column_of_its_name() -> None:
    assert Invitation.names_of_terms() == NAMES
    assert Match.names_of_terms() == [name for name in NAMES if name not in ("seat", "as_set")]


def test_a_row_returns_the_terms_that_it_stores() -> None:
    terms = Terms(**OTHERWISE)
    assert all(getattr(terms, name) != getattr(Terms("lattaque-en"), name) for name in NAMES)
    assert Invitation(**Invitation.columns_of(terms)).terms == terms
    match = Match(**Match.columns_of(terms))
    assert match.terms == replace(terms, seat=None, as_set=False)
    match.twin_id = 1
    assert match.terms == replace(terms, seat=None)


def test_terms_are_read_from_values_by_their_names() -> None:
    assert Terms.from_values(OTHERWISE | {"note": "Hello"}) == Terms(**OTHERWISE)
    assert Terms.from_values({"preset": "domino"}) == Terms("domino")
    assert Terms(**OTHERWISE).values() == OTHERWISE


def test_every_term_has_a_line_but_rules_and_seat() -> None:
    assert LINES.keys() == set(NAMES) - {"preset", "switches", "seat"}
    assert len(lines(Terms(**OTHERWISE))) == len(LINES)


@pytest.mark.parametrize("name", LINES)
def test_terms_that_differ_in_one_field_differ_in_their_sentences(name: str) -> None:
    usual = Terms("lattaque-en")
    assert lines(replace(usual, **{name: OTHERWISE[name]})) != lines(usual)


def test_the_rules_are_grouped_by_how_they_differ() -> None:
    described = describe(Terms("lattaque-zh", {"two_square": 5}))
    assert (described.title, described.base) == ("L'Attaque, face-up edition", "L'Attaque")
    assert (len(described.changed), len(described.edition)) == (1, 1)
    rules = [*described.changed, *described.edition, *described.common]
    assert len(rules) == len(Terms("lattaque-zh").rules.options)


def test_a_game_without_secrets_needs_no_memory_aid() -> None:
    assert not [line for line in lines(Terms("assaut")) if line.label == "Memory aid"]


@pytest.mark.soak
def test_a_new_term_is_a_field_a_column_a_form_field_and_a_sentence(tmp_path: Path) -> None:
    """See tests/play/new_term.py, which adds one to the service without changing any file."""
    copy_sqlite(tmp_path / "db.sqlite3")
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3"}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = preloaded.run(["-m", "tests.play.new_term"], environment)
    assert (done.returncode, done.stdout) == (0, "followed"), done.stderr
