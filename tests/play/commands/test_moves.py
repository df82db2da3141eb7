"""Moves: played exactly once, in turn, on the ply for which they were chosen."""

import json
from hashlib import sha256

import pytest

from accounts.models import User
from games.outbox.models import Dispatch
from games.play.commands import endings, moves
from games.play.models.match import Match
from games.play.models.match_secrets import MatchSecrets
from games.play.models.ply import Ply
from games.play.record import match_view
from games.play.refusals import CapturesNothing, MatchIsOver, MatchMovedOn, NotSeated, TooLate
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import IllegalMove, NotYourTurn, UnreadableMove
from games.rules.core.text.notation import write_move
from games.rules.proof.rules_line import rules_line
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql


def test_a_move_passes_the_turn_and_queues_one_email(match: Match, alice: User, bob: User) -> None:
    moves.submit_move(match.pk, alice, "a4-a5", match.ply)
    assert as_is(match).players.get(to_act=True).user == bob
    assert Dispatch.objects.filter(event="turn-came", user=bob).count() == 1


def test_a_double_click_plays_once(match: Match, alice: User) -> None:
    first = moves.submit_move(match.pk, alice, "a4-a5", match.ply)
    second = moves.submit_move(match.pk, alice, "A4 a5", match.ply)
    assert (second.ply, second.repeated) == (first.ply, True)
    assert Ply.objects.filter(match=match).count() == 4


def test_another_move_for_a_past_ply_is_overtaken(match: Match, alice: User) -> None:
    moves.submit_move(match.pk, alice, "a4-a5", match.ply)
    with pytest.raises(MatchMovedOn):
        moves.submit_move(match.pk, alice, "b4-b5", match.ply)


@pytest.mark.parametrize("ply", [-1, 0, 1, 3, 10**9])
def test_a_move_for_another_ply_is_overtaken(match: Match, alice: User, ply: int) -> None:
    with pytest.raises(MatchMovedOn):
        moves.submit_move(match.pk, alice, "a4-a5", ply)


def test_only_the_side_to_move_may_move(match: Match, bob: User, charlie: User) -> None:
    with pytest.raises(NotYourTurn):
        moves.submit_move(match.pk, bob, "a7-a6", match.ply)
    with pytest.raises(NotSeated):
        moves.submit_move(match.pk, charlie, "a4-a5", match.ply)


def test_a_refused_move_changes_nothing(match: Match, alice: User) -> None:
    for text, refusal in (("a4-b5", IllegalMove), ("hello", UnreadableMove)):
        with pytest.raises(refusal):
            moves.submit_move(match.pk, alice, text, match.ply)
    assert as_is(match).ply == match.ply
    assert Ply.objects.filter(match=match).count() == 3


@pytest.mark.parametrize("text", ["a4xa5", "a4 × a5", "a4 takes a5", "a4:a5", "A4XA5"])
def test_an_attack_on_an_empty_square_is_refused(match: Match, alice: User, text: str) -> None:
    before = match.ply
    for send in (moves.submit_move, moves.prepare_move):
        with pytest.raises(CapturesNothing, match="no enemy piece on a5"):
            send(match.pk, alice, text, before)
    match.refresh_from_db()
    assert match.ply == before
    assert moves.submit_move(match.pk, alice, "a4-a5", before).ply == before + 1


@pytest.mark.parametrize("text", ["a4-a7", "a4 a7", "a4xa7", "a4xa7[RvM]-"])
def test_an_attack_may_be_written_as_a_step(match: Match, alice: User, text: str) -> None:
    receipt = moves.submit_move(match.pk, alice, text, match.ply)
    assert Ply.objects.get(match=match, number=receipt.ply).text == "a4xa7[RvM]-"


def test_a_step_in_assaut_captures_nothing(who: People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, "assaut"))
    view = match_view.view_match(match.pk, who.alice)
    step = next(
        text
        for text in (write_move(view.rules, each) for each in view.observation.moves)
        if "-" in text
    )
    with pytest.raises(CapturesNothing):
        moves.submit_move(match.pk, who.alice, step.replace("-", "x"), match.ply)


def test_a_move_after_the_deadline_does_not_count(match: Match, alice: User) -> None:
    match.players.update(deadline="2020-01-01T00:00:00Z")
    with pytest.raises(TooLate):
        moves.submit_move(match.pk, alice, "a4-a5", match.ply)


def test_no_move_is_accepted_after_the_end(match: Match, alice: User, bob: User) -> None:
    moves.submit_move(match.pk, alice, "a4-a5", match.ply)
    endings.resign(match.pk, alice)
    with pytest.raises(MatchIsOver):
        moves.submit_move(match.pk, bob, "a7-a6", as_is(match).ply)


def test_a_battle_is_in_the_public_text(who: People, alice: User, bob: User) -> None:
    match = match_helpers.running_match(who, "a4xa7")
    entry = match_view.view_match(match.pk, None).entry
    assert entry.text == "a4xa7[RvM]-"


def test_each_ply_hashes_the_previous_one(match: Match, alice: User) -> None:
    moves.submit_move(match.pk, alice, "a4-a5", match.ply)

    def digest(head: str, *public: object) -> str:
        line = json.dumps(public, separators=(",", ":"))
        return sha256(f"{head} {line}".strip().encode()).hexdigest()

    # Computed again from public data, as any user could who stored it.
    rules = sha256(rules_line(match.rules).encode()).hexdigest()
    at = match.created_at.isoformat(timespec="microseconds")
    terms: tuple[object, ...] = ("lattaque-en", [], match.pace, match.setup_pace)
    head = digest("", "estafette/match/2", match.pk, *terms, rules, None, at)
    begin, *plies = Ply.objects.filter(match=match).order_by("number")
    assert bytes(begin.head).hex() == head
    for number, ply in enumerate(plies, 1):
        at = ply.at.isoformat(timespec="microseconds")
        head = digest(head, number, ply.seat, ply.kind, ply.text, at, ply.extra)
        assert bytes(ply.head).hex() == head
    assert [ply.kind for ply in plies] == ["setup", "setup", "move"]
    assert [len(ply.extra) for ply in plies] == [64, 64, 0]


def test_a_match_from_before_proofs_keeps_its_chain_to_the_end(who: People) -> None:
    match = match_helpers.new_match(who)
    Match.objects.filter(pk=match.pk).update(chain=1)
    MatchSecrets.objects.all().delete()
    match_helpers.resign(
        match_helpers.play(match_helpers.set_up(match), "a4-a5", "j7-j6"), Seat.SOUTH
    )
    begin, *plies = Ply.objects.filter(match=match).order_by("number")
    head = bytes(begin.head)
    for ply in plies:
        at = ply.at.isoformat(timespec="microseconds")
        public = json.dumps([ply.number, ply.seat, ply.kind, ply.text, at], separators=(",", ":"))
        head = sha256(head + public.encode()).digest()
        assert bytes(ply.head) == head
        assert ply.extra == ""
    assert len(plies) == 5


def test_a_sealed_ply_cannot_be_decrypted_elsewhere(match: Match) -> None:
    from games.play.record import match_store
    from lib.sealing import BrokenSealError

    sealed = Ply.objects.get(match=match, number=1).sealed
    assert (
        match_store.unseal_ply(match.pk, 1, sealed).private
        == match_helpers.SETUPS["lattaque-10x10"][0]
    )
    with pytest.raises(BrokenSealError):
        match_store.unseal_ply(match.pk, 2, sealed)


def test_no_rank_is_in_the_database_in_clear_text(match: Match) -> None:
    assert "RRR1" in match_helpers.SETUPS["lattaque-10x10"][0]
    for ply in at_least(3, Ply.objects.filter(match=match)):
        assert b"RRR1" not in bytes(ply.sealed)
        assert "RRR1" not in ply.text


def test_a_move_costs_a_fixed_number_of_queries(
    match: Match, alice: User, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(9):  # type: ignore[operator]
        moves.submit_move(match.pk, alice, "a4-a5", match.ply)
