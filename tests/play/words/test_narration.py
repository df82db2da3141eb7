"""Narration: what happened in a match, as sentences."""

import random
import re

import pytest
from django.utils.translation import override

from games.play.models.kind import PlyKind
from games.play.models.match import Match, ServiceTermination, Status
from games.play.record import match_view
from games.play.record.snapshot import Entry
from games.play.words import narration
from games.presentation.registry import presentation_of
from games.rules import registry
from games.rules.core import engine
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import BoardTermination, OffBoardTermination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Phase
from games.rules.core.text import notation
from tests import tiers
from tests.play import match_helpers
from tests.play.match_helpers import People


def entry(text: str, kind: PlyKind = PlyKind.MOVE, seat: Seat | None = Seat.SOUTH) -> Entry:
    return Entry(7, seat, kind, text)


@pytest.mark.parametrize(
    ("preset", "text", "sentence"),
    [
        ("lattaque-en", "a4-a5", "South moved from a4 to a5."),
        (
            "lattaque-en",
            "a4xa9[RvK]-",
            "South attacked a9 from a4: Scout against Captain. The attacking Scout was captured.",
        ),
        (
            "lattaque-en",
            "a4xa5[GvK]+",
            "South attacked a5 from a4: General against Captain."
            " The defending Captain was captured.",
        ),
        (
            "lattaque-en",
            "a4xa5[KvK]=",
            "South attacked a5 from a4: Captain against Captain. Both were captured.",
        ),
        (
            "lattaque-en",
            "a4xa9[RvF]#",
            "South attacked a9 from a4: Scout against Flag. That decided the match.",
        ),
        (
            "domino",
            "d4xd5[52v64]+",
            "South attacked d5 from d4: 5-2 against 6-4. The defending 6-4 was captured.",
        ),
        (
            "tactique",
            "d2-d5xe5[CvV]+d",
            "South charged from d2 to d5. South attacked e5 from d5: Commander against Cavalryman."
            " The defending Cavalryman was demoted.",
        ),
        (
            "tactique",
            "d4xd5[P'vC]-",
            "South attacked d5 from d4: demoted Pikeman against Commander."
            " The attacking demoted Pikeman was captured.",
        ),
        (
            "tactique",
            "d4xd5[IvV]-d ~d6 ~e7!",
            "South attacked d5 from d4: Infantry against Cavalryman."
            " The attacking Infantry was demoted."
            " Archers demoted the piece on d6. Archers removed the piece on e7.",
        ),
        (
            "tactique",
            "d4xd5[W'vA]+",
            "South attacked d5 from d4: Spent Infantry against Archer."
            " The defending Archer was captured.",
        ),
        (
            "tactique-convert",
            "d4xd5[CvV]+d",
            "South attacked d5 from d4: Commander against Cavalryman."
            " The defending Cavalryman was demoted. It changed sides.",
        ),
        ("assaut", "c4-c5", "Soldiers moved from c4 to c5."),
        ("assaut", "*d6,c4-c5", "Soldiers huffed the officer on d6. Soldiers moved from c4 to c5."),
        ("assaut", "*d6", "Soldiers huffed the officer on d6."),
        ("assaut", "d5xd3", "Soldiers captured 1 soldier, jumping along d5, d3."),
        ("assaut", "d5xd3xb5", "Soldiers captured 2 soldiers, jumping along d5, d3, b5."),
    ],
)
def test_each_part_of_a_move_is_a_sentence(preset: str, text: str, sentence: str) -> None:
    assert narration.sentence(registry.ruleset(preset), entry(text)) == sentence


@pytest.mark.parametrize(
    ("kind", "seat", "sentence"),
    [
        (PlyKind.BEGIN, None, "The match began."),
        (PlyKind.SETUP, Seat.NORTH, "North has finished the set-up."),
        (PlyKind.RESIGN, Seat.NORTH, "North resigned."),
        (PlyKind.DRAW, Seat.NORTH, "North accepted the draw."),
        (PlyKind.TIME, None, "The time for this move ran out."),
        (PlyKind.ABORT, Seat.SOUTH, "South aborted the match."),
        (PlyKind.CANCEL, None, "The match was aborted: not every army was set up in time."),
        (PlyKind.VOID, None, "The match was ended without a result."),
    ],
)
def test_plies_that_are_no_moves_are_described_too(
    kind: PlyKind, seat: Seat | None, sentence: str
) -> None:
    rules = registry.ruleset("lattaque-en")
    assert narration.sentence(rules, entry("", kind, seat)) == sentence


def test_every_kind_of_ply_has_a_sentence() -> None:
    assert {PlyKind.MOVE, *narration.OTHER_PLIES} == set(PlyKind)


def test_an_opening_volley_is_described_with_the_second_set_up() -> None:
    sentence = narration.sentence(registry.ruleset("tactique"), entry("~c5 ~d6", PlyKind.SETUP))
    assert sentence == (
        "South has finished the set-up. Archers demoted the piece on c5."
        " Archers demoted the piece on d6."
    )


@tiers.each_ruleset(registry.editions())
def test_whole_games_can_be_described(rules: Ruleset) -> None:
    rng = random.Random(rules.key)
    position = engine.begin(rules, rng)
    for _ply in range(120):
        if position.phase is Phase.OVER:
            break
        seat = position.to_act[0]
        if position.phase is Phase.SETUP:
            setup = rules.random_setup(seat, rng, position)
            position, _events = engine.advance(rules, position, seat, setup)
            continue
        move = rng.choice(list(rules.legal_moves(position, seat)))
        position, events = engine.advance(rules, position, seat, move)
        text = notation.annotate(rules, move, witness(events, Viewpoint.GALLERY))
        sentence = narration.sentence(rules, entry(text, seat=seat))
        assert re.fullmatch(r"[A-Z0-9][^%()]*\.", sentence), text


def test_every_ending_has_words_and_every_word_is_used() -> None:
    shared = {*BoardTermination, *OffBoardTermination, *ServiceTermination}
    assert set(narration.REASONS) == shared
    for family, editions in registry.games.items():
        own = {ending for rules in editions for ending in rules.terminations} - shared
        endings = presentation_of(family).endings
        assert set(endings) == own
        assert all(narration.reason(ending) == endings[ending] for ending in own)


def test_players_are_named_by_their_handles(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7xj4")
    view = match_view.view_match(match.pk, who.charlie)
    assert narration.sentences(view) == [
        "Bob attacked j4 from j7: Scout against Miner.",
        "The attacking Scout was captured.",
    ]
    assert narration.sentences(view, view.entries[-2]) == ["Alice moved from a4 to a5."]


def test_a_running_match_has_no_result(match: Match) -> None:
    assert narration.result(match) == ""


@pytest.mark.parametrize(
    ("preset", "face", "sentence"),
    [
        ("lattaque-en", ("S", "flag captured"), "South won: flag captured."),
        ("assaut", ("O", "sixteen captured"), "Officers won: sixteen soldiers captured."),
        ("lattaque-en", ("N", "resigned"), "North won: the other side resigned."),
        ("lattaque-en", ("draw", "agreed"), "Draw: the players agreed."),
    ],
)
def test_a_result_names_winner_and_reason(
    preset: str, face: tuple[str, str], sentence: str
) -> None:
    result, reason = face
    match = Match(preset=preset, status=Status.FINISHED, result=result, reason=reason)
    assert narration.result(match) == sentence


def test_a_reason_written_by_staff_stays_unchanged() -> None:
    match = Match(preset="lattaque-en", status=Status.VOID, reason="100 % of the disk is gone.")
    assert narration.result(match) == "No result: 100 % of the disk is gone."


def test_the_narration_is_in_the_readers_language() -> None:
    with override("de"):
        sentence = narration.sentence(registry.ruleset("lattaque-en"), entry("a4-a5"))
    assert "a4" in sentence and "a5" in sentence and "%" not in sentence
