"""Looks of staff: two agree, the record keeps it, both players know, and play goes on as before."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest
from django.core import mail

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play import refusals
from games.play.commands import courtesies, endings, looks, moves
from games.play.commands.plans import answering
from games.play.models.kind import PlyKind
from games.play.models.look import Look
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.play.record import match_view
from games.play.record.proofs import bundles
from games.play.record.sealed import drafts
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.proof.chain import look_extra
from lib.db_clock import now
from tests.play import match_helpers, plan_helpers
from tests.play.match_helpers import People, as_is
from tests.play.record.proofs import verifying
from tests.play.staff_looks import REASON, looked, steward

pytestmark = pytest.mark.django_db


@pytest.fixture
def ney(db: None) -> User:
    return steward("Ney")


@pytest.fixture
def soult(db: None) -> User:
    return steward("Soult")


def test_a_look_is_a_ply_with_the_hash_of_names_and_reason(
    match: Match, ney: User, soult: User, tmp_path: Path
) -> None:
    look = looked(match, ney, soult)
    ply = Ply.objects.get(match=match, number=match.ply)
    text = f"estafette/look/1\nNey\nSoult\n{REASON}"
    assert (ply.kind, ply.seat, ply.text, look.ply) == (PlyKind.LOOK, None, "", match.ply)
    assert ply.extra == hashlib.sha256(text.encode()).hexdigest()
    assert ply.extra == look_extra("Ney", "Soult", REASON)
    assert (match.looks, match.newest_looks, match.off_board) == (1, 1, 1)
    match_helpers.play(match, "a4-a5")
    assert (match.looks, match.newest_looks) == (1, 0)
    status, output = verifying.verified(tmp_path, {"b.proof": bundles.bundle(match.pk)})
    assert status == verifying.HOLDS, output


def test_a_look_changes_no_clock_no_turn_and_no_offer(
    match: Match, who: People, ney: User, soult: User
) -> None:
    match_helpers.play(match, "a4-a5", "a7-a6")
    match_helpers.moved_enough(match)
    endings.offer_draw(match.pk, who.bob)
    courtesies.offer_pause(match.pk, who.alice)
    clocks = ("seat", "to_act", "bank", "since", "deadline", "check_at", "clock_version")
    before = list(Player.objects.filter(match=match).order_by("seat").values(*clocks))
    offers = Match.objects.values("draw_offer", "pause_offer", "status", "opening").get(pk=match.pk)
    looked(match, ney, soult)
    assert list(Player.objects.filter(match=match).order_by("seat").values(*clocks)) == before
    after = Match.objects.values("draw_offer", "pause_offer", "status", "opening").get(pk=match.pk)
    assert after == offers
    assert offers["draw_offer"] == 1
    assert offers["pause_offer"] == 0


def test_a_pause_continues(match: Match, who: People, ney: User, soult: User) -> None:
    courtesies.offer_pause(match.pk, who.alice)
    courtesies.accept_pause(match.pk, who.bob)
    paused_at = as_is(match).paused_at
    looked(match, ney, soult)
    assert paused_at is not None
    assert as_is(match).paused_at == paused_at


def test_a_move_for_the_ply_before_the_look_counts_once(
    match: Match, who: People, ney: User, soult: User
) -> None:
    seen = match.ply
    looked(match, ney, soult)
    looked(match, ney, soult)
    first = moves.submit_move(match.pk, who.alice, "a4-a5", seen)
    assert (first.ply, first.repeated) == (seen + 3, False)
    again = moves.submit_move(match.pk, who.alice, "a4-a5", seen)
    assert (again.ply, again.repeated) == (first.ply, True)
    with pytest.raises(refusals.MatchMovedOn):
        moves.submit_move(match.pk, who.alice, "b4-b5", seen)
    with pytest.raises(refusals.MatchMovedOn):
        moves.submit_move(match.pk, who.bob, "a7-a6", seen)
    assert moves.submit_move(match.pk, who.bob, "a7-a6", first.ply).ply == first.ply + 1


def test_a_look_does_not_disturb_set_ups(who: People, ney: User, soult: User) -> None:
    match = match_helpers.new_match(who)
    looked(match, ney, soult)
    match_helpers.set_up(match)
    assert (match.status, match.opening, match.off_board) == (Status.RUNNING, 3, 0)
    looked(match, ney, soult)
    assert as_is(match).unplayed
    endings.abort(match.pk, who.alice)
    assert as_is(match).status == Status.CANCELLED


def test_a_draft_is_kept(match: Match, who: People, ney: User, soult: User) -> None:
    moves.prepare_move(match.pk, who.alice, "a4-a5", match.ply)
    seen = match.ply
    looked(match, ney, soult)
    me = Player.objects.get(match=match, user=who.alice)
    assert drafts.read(me, match.turn_ply) == "a4-a5"
    moves.prepare_move(match.pk, who.alice, "b4-b5", seen)
    assert drafts.read(me, match.turn_ply) == "b4-b5"


def test_a_plan_answers_a_turn_after_a_look(
    match: Match, who: People, ney: User, soult: User
) -> None:
    match_helpers.play(match, "a4-a5")
    plan_helpers.save(match, who.alice, "if a7-a6 then b4-b5")
    looked(match, ney, soult)
    match_helpers.play(match, "a7-a6")
    assert answering.answer_turn(match.pk, who.alice.pk, match.ply) == answering.Outcome.ANSWERED
    assert plan_helpers.texts(match)[-3:] == ["", "a7-a6", "b4-b5"]


def test_a_plan_whose_turn_has_come_answers_after_a_look(
    match: Match, who: People, ney: User, soult: User
) -> None:
    match_helpers.play(match, "a4-a5")
    plan_helpers.save(match, who.alice, "if a7-a6 then b4-b5")
    match_helpers.play(match, "a7-a6")
    turn = match.ply
    looked(match, ney, soult)
    assert answering.answer_turn(match.pk, who.alice.pk, turn) == answering.Outcome.ANSWERED
    assert plan_helpers.texts(match)[-3:] == ["a7-a6", "", "b4-b5"]


def test_both_players_get_an_email_with_names_and_reason(
    match: Match, ney: User, soult: User
) -> None:
    looked(match, ney, soult)
    rows = Dispatch.objects.filter(event="armies-seen", handler="notify")
    assert sorted(str(row.user) for row in rows) == ["Alice", "Bob"]
    dispatcher.drain()
    letters = [one for one in mail.outbox if "Staff have looked at both armies" in one.body]
    assert sorted(one.to[0] for one in letters) == ["alice@example.org", "bob@example.org"]
    for letter in letters:
        assert "Ney looked at both armies, and Soult agreed to it" in letter.body.replace("\n", " ")
        assert REASON in letter.body.replace("\n", " ")
        # The e-mail proves that the look is in the chain.
        assert f"\nhead estafette/head/1 {match.pk} {match.ply} " in letter.body


def test_the_steward_who_asked_sees_both_armies_for_an_hour(
    match: Match, ney: User, soult: User
) -> None:
    look = looked(match, ney, soult)
    shown, view = looks.position(look.pk, ney)
    assert shown == look
    assert view.viewpoint is Viewpoint.OPEN
    assert all(piece.rank for piece in view.observation.pieces.values())
    with pytest.raises(looks.MayNotLook, match="Only who asked"):
        looks.position(look.pk, soult)
    Look.objects.filter(pk=look.pk).update(agreed_at=now() - timedelta(hours=1))
    with pytest.raises(looks.MayNotLook, match="hour"):
        looks.position(look.pk, ney)
    assert not match_view.view_match(match.pk, ney).match.is_open(now())


def test_an_unreadable_position_is_reported_with_a_sentence(
    match: Match, ney: User, soult: User
) -> None:
    look = looked(match, ney, soult)
    Ply.objects.filter(match=match, number=look.ply).update(sealed=b"x" * 60)
    with pytest.raises(refusals.NotNow, match="The position cannot be read"):
        looks.position(look.pk, ney)


def test_nothing_is_shown_before_a_second_steward_agrees(match: Match, ney: User) -> None:
    look = looks.ask(match.pk, ney, REASON)
    with pytest.raises(looks.MayNotLook, match="Nobody has agreed"):
        looks.position(look.pk, ney)
    with pytest.raises(looks.MayNotLook, match="somebody else has to agree"):
        looks.agree(look.pk, ney)
    assert as_is(match).looks == 0


def test_a_request_can_be_approved_once_and_within_a_day(
    match: Match, ney: User, soult: User
) -> None:
    look = looks.ask(match.pk, ney, REASON)
    Look.objects.filter(pk=look.pk).update(asked_at=now() - timedelta(hours=24))
    with pytest.raises(refusals.NotNow, match="24 hours"):
        looks.agree(look.pk, soult)
    done = looked(match, ney, soult)
    with pytest.raises(refusals.NotNow, match="agreed already"):
        looks.agree(done.pk, steward("Murat"))
    assert as_is(match).looks == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_of_the_match_is_refused_at_each_step(
    match: Match, ney: User, soult: User, seat: int
) -> None:
    look = looked(match, ney, soult)
    look_asked = looks.ask(match.pk, ney, REASON)
    for user in (ney, soult):
        Player.objects.filter(match=match, seat=seat).update(user=user)
        User.objects.filter(pk=user.pk).update(is_superuser=True)
        user = User.objects.get(pk=user.pk)
        with pytest.raises(looks.MayNotLook, match="Players of the match"):
            looks.ask(match.pk, user, REASON)
        with pytest.raises(looks.MayNotLook, match="Players of the match"):
            looks.agree(look_asked.pk, soult)
    Player.objects.filter(match=match, seat=seat).update(user=ney)
    with pytest.raises(looks.MayNotLook, match="Players of the match"):
        looks.position(look.pk, ney)


def test_an_opponent_of_a_player_in_another_match_is_refused_at_each_step(
    match: Match, who: People, ney: User, soult: User
) -> None:
    look = looked(match, ney, soult)
    look_asked = looks.ask(match.pk, ney, REASON)
    other = match_helpers.new_match(People(ney, who.bob, who.charlie))
    for refused in (
        lambda: looks.ask(match.pk, ney, REASON),
        lambda: looks.agree(look_asked.pk, soult),
        lambda: looks.position(look.pk, ney),
    ):
        with pytest.raises(looks.MayNotLook, match="in other matches"):
            refused()
    endings.abort(other.pk, ney)
    assert looks.position(look.pk, ney)[0] == look


def test_a_bot_of_the_staff_counts_as_its_owner(
    match: Match, who: People, ney: User, soult: User
) -> None:
    bot = User.objects.create_confirmed("Bot-ney", "", owner=ney)
    match_helpers.new_match(People(bot, who.bob, who.charlie))
    with pytest.raises(looks.MayNotLook, match="in other matches"):
        looks.ask(match.pk, ney, REASON)


def test_the_permission_is_needed(match: Match, ney: User, soult: User) -> None:
    look = looks.ask(match.pk, ney, REASON)
    for user in (
        match_helpers.person("Grouchy", is_staff=True),
        match_helpers.person("Lannes"),
        steward("Davout", is_active=False),
    ):
        with pytest.raises(looks.MayNotLook, match="permission"):
            looks.ask(match.pk, user, REASON)
        with pytest.raises(looks.MayNotLook, match="permission"):
            looks.agree(look.pk, user)
    # The asker has lost it meanwhile.
    ney.user_permissions.clear()
    with pytest.raises(looks.MayNotLook, match="permission"):
        looks.agree(look.pk, soult)


def test_only_a_running_match_with_proofs_and_hidden_pieces_can_be_looked_at(
    match: Match, who: People, ney: User
) -> None:
    open_game = match_helpers.new_match(who, "assaut")
    with pytest.raises(refusals.NotNow, match="Nothing is hidden"):
        looks.ask(open_game.pk, ney, REASON)
    Match.objects.filter(pk=match.pk).update(chain=1)
    with pytest.raises(refusals.NotNow, match="before there were proofs"):
        looks.ask(match.pk, ney, REASON)
    Match.objects.filter(pk=match.pk).update(chain=2)
    endings.abort(match.pk, who.alice)
    with pytest.raises(refusals.NotNow, match="is over"):
        looks.ask(match.pk, ney, REASON)
