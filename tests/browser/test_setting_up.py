"""Setting up in a browser: an army placed for a beginner, changed by taps and drags, undone."""

import pytest

from games.play.setups import arrangement
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.browser.people import FITS
from tests.browser.test_other_systems import BOTH_WAYS, Opponent, Table, cookies, service, table

__all__ = ["cookies", "service", "table"]  # fixtures

pytestmark = pytest.mark.servers


def tap(person: Opponent, square: str) -> None:
    if person.scripts:
        person.page.locator(person.square(square)).click()
    else:
        with person.page.expect_navigation():
            person.page.locator(f"{person.square(square)} > button").click()


def standing(person: Opponent) -> dict[str, str]:
    """The pieces in the form, by square."""
    fields = person.page.locator('td[data-square] input[type="hidden"]').all()
    values = {str(each.get_attribute("name")): each.input_value() for each in fields}
    return {square: rank for square, rank in values.items() if rank}


def written(person: Opponent) -> str:
    return person.page.get_by_label("As text").input_value()


@BOTH_WAYS
@pytest.mark.parametrize(
    "preset", tiers.parameters(("lattaque-en", "domino", "tactique"), fast=("lattaque-en",))
)
def test_an_army_is_placed_by_the_service_and_two_pieces_are_exchanged(
    table: Table, scripts: bool, preset: str
) -> None:
    alice, _bob = table.open(preset)
    rules = registry.ruleset(preset)
    alice.press("Place for me")
    army = standing(alice)
    assert "All pieces are placed." in alice.page.locator("#setup-status").inner_text()
    one = min(army)
    other = next(square for square, rank in army.items() if rank != army[one])
    tap(alice, one)
    assert f"({one}) is chosen" in alice.page.locator("#setup-status").inner_text()
    tap(alice, other)
    assert standing(alice) == army | {one: army[other], other: army[one]}
    assert written(alice) == arrangement.to_text(rules, Seat.SOUTH, standing(alice))
    if scripts:
        alice.page.get_by_role("button", name="Undo").click()
    else:
        alice.press("Undo")
    assert standing(alice) == army
    assert written(alice) == arrangement.to_text(rules, Seat.SOUTH, army)
    alice.press("Undo")
    assert standing(alice) == {}
    assert alice.page.get_by_role("button", name="Undo").is_disabled()
    if scripts:
        alice.check_access()
    assert not alice.complaints


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
def test_pieces_are_dragged_and_removed_and_the_text_follows(table: Table) -> None:
    alice, _bob = table.open("lattaque-en")
    alice.press("Place for me")
    army = standing(alice)
    empty = next(
        square for square in registry.ruleset("lattaque-en").zone(Seat.SOUTH) if square not in army
    )
    page = alice.page
    page.locator(f"{alice.square('e1')} .piece").drag_to(page.locator(alice.square(empty)))
    moved = {square: rank for square, rank in army.items() if square != "e1"} | {empty: army["e1"]}
    assert standing(alice) == moved
    tap(alice, empty)
    page.locator("#hand li").first.locator("button").click()
    assert "1 left to place." in page.locator("#setup-status").inner_text()
    assert empty not in standing(alice)
    assert written(alice) == arrangement.to_text(
        registry.ruleset("lattaque-en"), Seat.SOUTH, standing(alice)
    )
    for _step in range(2):
        page.get_by_role("button", name="Undo").click()
    assert standing(alice) == army


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
def test_the_text_of_officers_follows_them(table: Table) -> None:
    _alice, bob = table.open("assaut")
    bob.press("Place for me")
    tap(bob, min(standing(bob)))
    free = next(s for s in ("c7", "d7", "e7") if s not in standing(bob))
    tap(bob, free)
    assert written(bob) == ",".join(sorted(standing(bob)))


@pytest.mark.soak
@BOTH_WAYS
@pytest.mark.parametrize("size", [(1280, 720), (390, 664)], ids=str)
def test_the_board_and_its_buttons_are_in_one_view(
    table: Table, scripts: bool, size: tuple[int, int]
) -> None:
    alice, _bob = table.open("lattaque-en")
    page = alice.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    alice.press("Place for me")
    for part in ("table.board", "#setup-status", 'button[value="place"]', "#undo"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], part
    assert page.evaluate(FITS)
    if scripts:
        alice.check_access()
