"""Drawing of an army that does not stand yet: the owner's rows, own edge at the foot."""

from games.play.setups.arrangement import Arrangement
from games.presentation.registry import presentation_of
from games.rules.core.board import FILE_LETTERS
from games.rules.core.pieces import Seat
from games.rules.core.ruleset import Ruleset


def rows_of(rules: Ruleset, seat: Seat, placed: Arrangement) -> tuple[str, ...]:
    """The rows of a set-up as a letter draws them, numbers at both sides, files above and below."""
    files = FILE_LETTERS[: rules.board.files]
    numbers = [int(number) for number in rules.setup_rows(seat)] or sorted(
        {int(square[1:]) for square in rules.zone(seat)}, reverse=True
    )
    if seat is Seat.NORTH:
        files, numbers = files[::-1], numbers[::-1]
    width = 3 if presentation_of(rules.family).tiles else 2
    head = "    " + "".join(f"{file:<{width}} " for file in files).rstrip()
    lines = [head]
    for number in numbers:
        cells = (placed.get(f"{file}{number}", ".") for file in files)
        lines.append(
            f"{number:>2}  " + "".join(f"{cell:<{width}} " for cell in cells) + f"{number}"
        )
    return (*lines, head)
