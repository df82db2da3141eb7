"""Tournaments from plain values: defaults, and a sentence for each wrong value."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.competitions.tournaments.making import BadTournamentError, make
from games.competitions.tournaments.models import State, Tournament

pytestmark = pytest.mark.django_db
GIVEN = {"title": "Spring", "preset": "lattaque-en", "closes_at": "2030-01-08T00:00:00Z"}


def test_defaults_are_used() -> None:
    made = make(GIVEN)
    made.refresh_from_db()
    assert made.state == State.OPEN
    assert (made.group_size, made.grouping, made.stages, made.at_once) == (6, "even", 1, 0)
    assert (made.pace, made.setup_pace, made.min_finished) == ("3d", "5d", 1)


def test_a_title_is_one_line() -> None:
    assert make({**GIVEN, "title": "Spring\nresign\n", "seed": None}).title == "Spring resign"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"pace": "none"}, "needs a time limit"),
        ({"pace": "soon"}, "no time control"),
        ({"preset": "chess"}, "no such rules"),
        ({"group_size": 2}, "greater than or equal to 3"),
        ({"max_entries": 97}, "less than or equal to 96"),
        ({"days": float("inf")}, "too large"),
        ({"days": 29}, "greater than or equal to 30"),
        ({"stages": 2, "places": 2, "max_entries": 96}, "A final has at most 10"),
        ({"rating_from": 1600, "rating_to": 1500}, "below the lowest"),
        ({"closes_at": "soon"}, "no instant"),
        ({"opens_at": "2031-01-01T00:00:00Z"}, "closes before it opens"),
        ({"size": 5}, "no field 'size'"),
        ({"grouping": "odd"}, "grouping"),
        ({"rated": "maybe"}, "rated"),
    ],
)
def test_wrong_values_are_named(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(BadTournamentError, match=says):
        make({**GIVEN, **wrong})
    assert not Tournament.objects.exists()


def test_the_command_prints_the_number(tmp_path: Path) -> None:
    file, out = tmp_path / "made.json", StringIO()
    file.write_text(json.dumps(GIVEN))
    call_command("make_tournament", str(file), stdout=out)
    assert int(out.getvalue()) == Tournament.objects.get().pk


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"title": "x"})])
def test_the_command_refuses_other_files(tmp_path: Path, text: str) -> None:
    file = tmp_path / "made.json"
    file.write_text(text)
    with pytest.raises(CommandError) as refused:
        call_command("make_tournament", str(file))
    assert refused.value.returncode == 2
