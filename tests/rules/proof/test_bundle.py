"""What bundles open, and when; nothing else of a hidden rank is in them."""

import re

import pytest

from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.proof import bundle, seals
from games.rules.registry import ruleset
from tests import tiers
from tests.floors import at_least
from tests.rules.proof.matches import HIDDEN, PUBLIC, Match, begun, played, sign


def opened(match: Match, *, time_is_final: bool = True) -> set[tuple[str, str]]:
    lines = match.bundle(time_is_final=time_is_final).splitlines()
    return {(line[5], line.split()[2]) for line in lines if line.startswith("open ")}


def whole(match: Match, *, time_is_final: bool = True) -> bool:
    return "\nseal " in match.bundle(time_is_final=time_is_final)


def gaps(match: Match) -> set[tuple[str, str]]:
    return {
        (match.rules.seat_letters[seat], square)
        for seat, army in match.armies.items()
        for square, rank in zip(match.rules.zone(seat), army.ranks, strict=True)
        if rank == seals.GAP
    }


@pytest.mark.parametrize("preset", HIDDEN)
def test_gaps_are_opened_after_both_set_ups(preset: str) -> None:
    match = begun(preset)
    assert not opened(match)
    assert not opened(match.set_up(Seat.NORTH))
    assert opened(match.set_up()) == gaps(match)


@pytest.mark.parametrize("preset", tiers.editions(HIDDEN))
def test_a_battle_opens_two_pieces(preset: str) -> None:
    """Pieces that have not fought stay sealed, whatever volleys and moves show of them."""
    match = begun(preset).set_up()
    fights = 0
    while not match.position.outcome and match.plies < 120:
        before = opened(match)
        match.play()
        if match.position.outcome:
            break
        new = opened(match) - before
        fights += "[" in match.lines[-1]
        assert len(new) <= (2 if "[" in match.lines[-1] else 0)
        assert before <= opened(match)
    assert len(opened(match) - gaps(match)) <= 2 * fights or match.position.outcome


def test_a_piece_is_opened_by_the_square_on_which_it_began() -> None:
    match = next(
        match
        for seed in range(50)
        if "[" in (match := played("lattaque-en", 9, seed)).lines[-1] and not match.position.outcome
    )
    at_least(1, opened(match) - gaps(match))
    for line in re.findall("(?m)^open (.) ([^ ]+) ([^ ]+) ", match.bundle()):
        seat = Seat("SN".index(line[0]))
        place = match.rules.zone(seat).index(line[1])
        assert match.armies[seat].ranks[place] == line[2]


def test_both_armies_open_at_an_end_with_a_result() -> None:
    def match() -> Match:
        return played("domino", 6, seed=2)

    assert not whole(match())
    for ended in (match().resign(Seat.SOUTH), match().draw(), match().time()):
        assert whole(ended)
        assert "\nseed " in ended.bundle()
    assert not whole(match().time(), time_is_final=False)
    assert opened(match().time(), time_is_final=False) == opened(match())
    assert not whole(match().time().reopen())
    assert whole(match().time().reopen().play(2).draw())
    for ended in (match().void(), match().time().void(), begun("domino").set_up().abort()):
        assert not whole(ended)
        assert "\nseed " not in ended.bundle()
    assert opened(match().void()) == opened(match())


def test_one_army_alone_is_never_opened() -> None:
    match = begun("lattaque-en").set_up(Seat.SOUTH).abort(Seat.NORTH)
    assert not whole(match) and not opened(match)
    assert re.findall("(?m)^army (.)", match.bundle()) == ["S"]


def test_a_bundle_is_the_same_each_time_it_is_made() -> None:
    match = played("tactique-convert", 20)
    assert match.bundle() == match.bundle()


def test_keys_are_listed_in_the_given_order() -> None:
    text = bundle.write_bundle(played("assaut", 2).proven(), PUBLIC, sign)
    assert re.findall("(?m)^key (.*)$", text) == PUBLIC


def test_a_receipt_has_the_army_and_the_words_of_its_seat() -> None:
    match = begun("domino").set_up()
    south, north = (match.receipt(seat).splitlines() for seat in Seat)
    assert [line.split(" ")[0] for line in south] == [
        *("estafette/receipt/1", "head", "sign", "seal", "words", "end"),
    ]
    assert (south[4], north[4]) == ("words fair wind", "words ")
    assert south[3].startswith(f"seal S {match.secrets[0].hex()} ")
    assert north[1].startswith("head estafette/head/1 17 2 ")
    soldiers = begun("assaut").set_up().receipt(Seat.NORTH).splitlines()
    assert [line.split(" ")[0] for line in soldiers][1:] == ["head", "sign", "end"]


def test_a_written_bundle_is_read_back() -> None:
    match = played("domino", 10, seed=2).draw()
    read = bundle.read_bundle("\ufeff" + match.bundle().replace("\n", "\r\n"))
    assert read.match == 17
    assert list(read.lines) == match.lines
    assert read.ranks == BySeat(*(match.armies[seat].ranks for seat in Seat))
    assert read.seed == match.deal_seed
    assert bundle.read_bundle(played("domino", 4).bundle()).ranks is None


def test_a_game_that_hides_nothing_shows_its_set_up() -> None:
    match = begun("assaut").set_up()
    setup = match.rules.random_setup(Seat.NORTH, match.rng, begun("assaut").position)
    assert re.fullmatch(
        "[a-g][1-7],[a-g][1-7]", seals.seal_setup(ruleset("assaut"), 17, setup, bytes(32))
    )
    assert "army" not in match.bundle()


def test_the_repr_of_values_shows_no_secret() -> None:
    match = played("domino", 10)
    for value in (match.proven(), match.armies[Seat.SOUTH]):
        assert match.secrets[0].hex() not in repr(value)
        assert "ranks" not in repr(value)
