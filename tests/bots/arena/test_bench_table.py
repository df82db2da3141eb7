"""The table of docs/bots.md: measuring a cell leaves the others unchanged."""

from games.bots.arena.tally import Tally
from tests.bench import house

PAGE = f"Before.\n\n{house.BEGIN}\n{house.END}\n\nAfter.\n"


def tally(points: float, games: int) -> Tally:
    return Tally(games=games, points=points, seconds=([0.25, 0.75], []), peak_kilobytes=[20_480, 0])


def test_a_measured_cell_is_written_and_the_others_stay() -> None:
    first = house.with_cells(PAGE, house.cells_of("recruit", "domino", tally(9.5, 10)))
    both = house.with_cells(first, house.cells_of("marshal", "assaut", tally(3, 4)))
    assert "| recruit against random moves | - | 9.5 of 10 (66-99) | - | - |" in both
    assert "| marshal against sergeant | - | - | - | 3 of 4 (30-95) |" in both
    assert "| its processor time an answer, mean and most | - | - | - | 0.50 s, 0.75 s |" in both
    assert "| its memory at most | - | - | - | 20 MB |" in both
    assert both.startswith("Before.\n\n<!--")
    assert both.endswith("-->\n\nAfter.\n")


def test_the_page_has_the_markers_of_its_table() -> None:
    page = house.PAGE.read_text()
    assert page.count(house.BEGIN) == page.count(house.END) == 1
    assert house.with_cells(page, {}) == page
