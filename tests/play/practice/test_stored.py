"""What is stored of a practice board: sealed, with a version, of a known format."""

import json

import pytest

from games.play.models.match import Match, Player
from games.play.models.notebook import Notebook
from games.play.practice import stored
from games.play.practice.stored import KeptLine, Practice, PracticeChanged, Step
from games.play.record.sealed import notebooks

STEPS = (Step("a4-a5"), Step("j7-j6", able=("M", "G")), Step("a5xa7[RvM]-", rank="M"))
PRACTICE = Practice(
    0, 2, {"j7": "R"}, STEPS, (KeptLine("Günther's 計畫", 2, {"j7": ""}, STEPS, outdated=True),)
)


@pytest.fixture
def player(match: Match) -> Player:
    return match.players.get(seat=0)


def test_stored_data_is_read_again_with_a_new_version(player: Player) -> None:
    assert stored.read(player.pk) == Practice()
    stored.put(player.pk, PRACTICE)
    assert stored.read(player.pk) == PRACTICE._replace(version=1)


def test_the_second_of_two_changes_to_one_version_is_refused(player: Player) -> None:
    stored.put(player.pk, PRACTICE)
    with pytest.raises(PracticeChanged):
        stored.put(player.pk, Practice())
    assert stored.read(player.pk).steps == STEPS


def test_it_is_sealed_to_its_own_context_apart_from_the_other_parts(player: Player) -> None:
    notebooks.store_note(player.pk, "A note.")
    stored.put(player.pk, PRACTICE)
    assert notebooks.read(player.pk).note == "A note."
    row = Notebook.objects.get(player=player)
    assert b"a4-a5" not in bytes(row.practice)
    assert "a4-a5" in notebooks.open_part("practice", player.pk, row.practice)


def test_an_unknown_format_counts_as_empty() -> None:
    assert stored.load(json.dumps([0, "what was there"])) == Practice()


def test_a_repr_shows_no_move_no_rank_and_no_name() -> None:
    shown = f"{PRACTICE!r} {PRACTICE.kept!r} {PRACTICE.steps!r}"
    assert "j7" not in shown and "Günther" not in shown and "'M'" not in shown


def test_the_largest_allowed_state_can_be_stored(player: Player) -> None:
    steps = tuple(Step("x".join(["d5"] * 16)) for _ in range(stored.MAX_PLIES))
    name = "計" * stored.MAX_NAME_CHARACTERS
    kept = tuple(KeptLine(name, 2, {}, steps) for _ in range(stored.MAX_LINES))
    stored.put(player.pk, Practice(0, 2, {}, steps, kept))
    assert len(stored.read(player.pk).kept) == stored.MAX_LINES
    assert len(bytes(Notebook.objects.get(player=player).practice)) < 100_000
