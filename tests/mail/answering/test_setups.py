"""Set-ups by e-mail: drawn rows, record notation, proposals."""

import pytest

from accounts.models import User
from games.play.board.text_board import text as board_text
from games.play.models.match import Match, Status
from games.play.record.match_view import view_match
from games.play.setups import arrangement, library
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.mail import post
from tests.notifications.email.reading import delivered, only, parsed, text
from tests.play import match_helpers
from tests.play.match_helpers import SETUPS, People

pytestmark = pytest.mark.django_db

BOARDS = ["lattaque-en", "lattaque-gibson", "tactique", "domino"]


def placed(match: Match, user: User) -> dict[str, str | None]:
    view = view_match(match.pk, user)
    return {square: piece.rank for square, piece in view.observation.pieces.items()}


def random_army(match: Match, seat: Seat) -> arrangement.Arrangement:
    text_of_army = match_helpers.setup_text(match, seat)
    return arrangement.from_text(match.rules, seat, text_of_army)


def rows_as_drawn(match: Match, user: User, army: arrangement.Arrangement) -> list[str]:
    """The filled-in rows of the board in the e-mail, with row numbers at both ends."""
    drawn = board_text(view_match(match.pk, user)).splitlines()
    files = drawn[0].split()
    rows = []
    for line in drawn[1:-1]:
        number = line.split()[0]
        cells = [army.get(f"{file}{number}", ".") for file in files]
        if any(cell != "." for cell in cells):
            rows.append(f"{number:>2}  " + " ".join(f"{cell:<3}" for cell in cells) + number)
    return rows


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("preset", BOARDS)
@pytest.mark.parametrize("numbered", tiers.parameters((True, False), fast=(True,)))
def test_rows_as_drawn_in_the_email_are_a_set_up(
    who: People, preset: str, seat: Seat, numbered: bool
) -> None:
    match = match_helpers.new_match(who, preset)
    user = who[seat]
    army = random_army(match, seat)
    rows = rows_as_drawn(match, user, army)
    if not numbered:
        rows = [" ".join(row.split()[1:-1]) for row in rows]
    receipt = post.answer(user, post.email(user), "\n".join(rows))
    assert post.outcome(receipt) == "set-up", text(receipt)
    assert placed(match, user) == army


def test_record_notation_is_a_set_up(who: People) -> None:
    match = match_helpers.new_match(who)
    receipt = post.answer(who.bob, post.email(who.bob), SETUPS["lattaque-10x10"][Seat.NORTH])
    assert post.outcome(receipt) == "set-up"
    assert placed(match, who.bob)["a7"] == "M"


def test_an_unknown_piece_of_drawn_rows_is_named(who: People) -> None:
    match_helpers.new_match(who)
    rows = "Q R R . R . R S C E\nE B F L L M . E C B\nK L R S K B R . B S\nL G J J K Y R K E S"
    receipt = post.answer(who.alice, post.email(who.alice), rows)
    assert post.outcome(receipt) == "refused"
    assert "Row 4 has “Q”, and no piece of this game has that sign." in text(receipt)


def test_a_receipt_says_that_the_opponent_is_still_setting_up(who: People) -> None:
    match_helpers.new_match(who)
    set_up = SETUPS["lattaque-10x10"][Seat.NORTH]
    words = " ".join(text(post.answer(who.bob, post.email(who.bob), set_up)).split())
    assert "Your opponent is still setting up." in words
    assert "It's your opponent's turn." not in words


@pytest.mark.parametrize("preset", ["lattaque-en", "domino"])
def test_a_proposal_does_not_ask_to_fill_in_its_dots(who: People, preset: str) -> None:
    match_helpers.new_match(who, preset)
    email = post.email(who.bob)
    assert "in place of each dot" in " ".join(text(email).split())
    words = " ".join(text(post.answer(who.bob, email, "random")).split())
    assert "in place of each dot" not in words and "Or reply “random” for" in words


def test_all_errors_of_a_set_up_are_listed(who: People) -> None:
    match_helpers.new_match(who)
    wrong = SETUPS["lattaque-10x10"][Seat.NORTH].replace("M", "G", 1)
    receipt = post.answer(who.bob, post.email(who.bob), wrong)
    assert post.outcome(receipt) == "refused"
    assert "One Marshal is left to place." in text(receipt)
    assert "One General too many is on the board." in text(receipt)


def test_officers_are_set_up_with_two_points(who: People) -> None:
    match = match_helpers.new_match(who, "assaut")
    receipt = post.answer(who.bob, post.email(who.bob), "c7 e7")
    assert post.outcome(receipt) == "set-up"
    assert match_helpers.as_is(match).status == Status.RUNNING


def test_soldiers_have_nothing_to_set_up(who: People) -> None:
    match_helpers.new_match(who, "assaut")
    receipt = post.answer(who.alice, post.email(who.alice), "random")
    assert post.outcome(receipt) == "refused"
    assert "You have nothing to set up" in text(receipt)


def test_a_random_set_up_is_proposed_and_kept(who: People) -> None:
    match = match_helpers.new_match(who)
    proposal = post.answer(who.bob, post.email(who.bob), "random")
    assert post.outcome(proposal) == "asked"
    assert not placed(match, who.bob)
    assert post.outcome(post.answer(who.bob, proposal, "keep")) == "set-up"
    (row,) = [
        line for line in text(proposal).splitlines() if line.startswith("Row 7, from j to a: ")
    ]
    standing = placed(match, who.bob)
    shown = [standing.get(f"{file}7") or "." for file in "jihgfedcba"]
    assert row.split(": ")[1].split() == shown and len(standing) == 36


def test_no_to_a_proposal_closes_it(who: People) -> None:
    match = match_helpers.new_match(who)
    proposal = post.answer(who.bob, post.email(who.bob), "random")
    assert post.outcome(post.answer(who.bob, proposal, "no")) == "declined"
    for late in ("keep", "yes"):
        assert post.outcome(post.answer(who.bob, proposal, late)) == "refused"
    assert not placed(match, who.bob)
    other = post.answer(who.bob, proposal, "random")
    assert post.outcome(post.answer(who.bob, other, "keep")) == "set-up"


def test_keep_counts_only_as_a_reply_to_the_proposal(who: People) -> None:
    match_helpers.new_match(who)
    email = post.email(who.bob)
    post.answer(who.bob, email, "random")
    assert post.outcome(post.answer(who.bob, email, "keep")) == "refused"


@pytest.mark.parametrize("written", ["First try", "set-up: first try"])
def test_a_saved_set_up_is_proposed_by_its_name(who: People, written: str) -> None:
    match = match_helpers.new_match(who)
    army = random_army(match, Seat.SOUTH)
    library.save(who.bob, match.rules, Seat.SOUTH, "First try", army)
    proposal = post.answer(who.bob, post.email(who.bob), f"Hello\n\n{written}\n")
    assert post.outcome(proposal) == "asked", text(proposal)
    post.answer(who.bob, proposal, "keep")
    assert placed(match, who.bob) == arrangement.turned(match.rules, army)


def test_a_second_set_up_changes_nothing(who: People) -> None:
    match = match_helpers.new_match(who)
    email = post.email(who.bob)
    post.answer(who.bob, email, SETUPS["lattaque-10x10"][Seat.NORTH])
    again = post.answer(who.bob, email, SETUPS["lattaque-10x10"][Seat.NORTH])
    assert post.outcome(again) == "repeated"
    receipt = post.answer(who.bob, email, match_helpers.RECKLESS)
    assert post.outcome(receipt) == "stale"
    assert placed(match, who.bob)["a7"] == "M"


def test_a_move_during_the_set_up_is_refused(who: People) -> None:
    match_helpers.new_match(who)
    receipt = post.answer(who.alice, post.email(who.alice), "a4-a5")
    assert post.outcome(receipt) == "refused"
    assert "Set up your army first" in text(receipt)


def test_repeated_officers_are_reported_as_repeated(who: People) -> None:
    match_helpers.new_match(who, "assaut")
    email = post.email(who.bob)
    post.answer(who.bob, email, "c7 e7")
    assert post.outcome(post.answer(who.bob, email, "c7 e7")) == "repeated"
    assert post.outcome(post.answer(who.bob, email, "c6 e7")) == "stale"


def test_nothing_is_proposed_after_the_set_up(who: People) -> None:
    match = match_helpers.new_match(who)
    email = post.email(who.alice)
    match_helpers.set_up(match)
    assert post.outcome(post.answer(who.alice, email, "random")) == "stale"
    turn = post.answer(who.alice, email, "board")
    assert post.outcome(post.answer(who.alice, turn, "random")) == "refused"
    assert post.outcome(post.answer(who.alice, turn, "setup: mine")) == "refused"


def test_the_answer_to_a_set_up_has_its_receipt_attached_once(who: People) -> None:
    match = match_helpers.new_match(who)
    answer = post.answer(who.alice, post.email(who.alice), SETUPS["lattaque-10x10"][Seat.SOUTH])
    assert post.outcome(answer) == "set-up", text(answer)
    (attached,) = parsed(answer).iter_attachments()
    assert attached.get_filename() == f"receipt-{match.pk}.txt"
    assert "\nseal S " in attached.get_content()
    assert f"\nhead estafette/head/1 {match.pk} 1 " in text(answer)
    match_helpers.send_setup(match, Seat.NORTH)
    turn = only(delivered(), who.alice)
    assert list(parsed(turn).iter_attachments()) == []


def test_a_reply_that_quotes_an_email_with_proof_lines_plays_its_move(who: People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who))
    letter = only(delivered(), who.alice)
    assert "\nsign " in text(letter)
    quoted = "".join(f"> {line}\n" for line in text(letter).splitlines())
    answer = post.answer(who.alice, letter, f"a4-a5\n\n{quoted}")
    assert post.outcome(answer) == "played", text(answer)
    match.refresh_from_db()
    assert match.ply == 3
