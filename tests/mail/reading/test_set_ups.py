"""Set-up rows as the e-mail draws them, in the reply or filled in inside its quotation."""

import pytest

from games.mail.answering.actions.turns.submitted_setups import setup_text
from games.mail.reading.commands import Command, Verb
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests.mail.reading.clients import GMAIL, Shape, message
from tests.mail.reading.reader import read, read_blocks

SOUTH, NORTH = (4, 3, 2, 1), (10, 9, 8, 7)
TEXT = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
ROWS = ["RRR.R.RSCE", "EBFLLM.ECB", "KLRSKBR.BS", "LGJJKYRKES"]
TURNED = [row[::-1] for row in reversed(ROWS)]
DOMINO = "4056104666025513/2244113533610041/6325125026453406"
TILES = [" ".join(row[i : i + 2] for i in range(0, 16, 2)) for row in DOMINO.split("/")]
TACTIQUE = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"


def body(text: str) -> bytes:
    return b"From: a@example.org\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()


def set_up_of(raw: bytes) -> Command:
    commands = [c for c in read(raw).commands if c.verb is Verb.SETUP]
    assert len(commands) == 1, commands
    return commands[0]


def understood(command: Command, seat: Seat = Seat.SOUTH, preset: str = "lattaque-en") -> str:
    return setup_text(registry.ruleset(preset), seat, command)


def south(text: str) -> str:
    return understood(set_up_of(body(text)))


def north(text: str) -> str:
    return understood(set_up_of(body(text)), Seat.NORTH)


def numbered(rows: list[str], numbers: tuple[int, ...], style: str) -> str:
    return "\n".join(style.format(n=n, r=row) for n, row in zip(numbers, rows, strict=True))


def wide(rows: list[str]) -> list[str]:
    return ["   ".join(row) for row in rows]


STYLES = [
    "{n} {r}",
    "{n}: {r}",
    "{n}) {r}",
    "{n}. {r}",
    "{r} {n}",
    "{n} {r} {n}",
    "{n}  | {r} |  {n}",
]


@pytest.mark.parametrize("written", [ROWS, wide(ROWS), [row.lower() for row in ROWS]])
def test_rows_are_kept_as_drawn(written: list[str]) -> None:
    assert south("\n".join(written)) == TEXT
    assert south("Here it is:\n\n" + "\n".join(written) + "\n\nGood luck\nAnna") == TEXT
    assert south("\n\n".join(written)) == TEXT
    assert south("\r\n".join(f"`{row}`" for row in written)) == TEXT


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("written", [ROWS, wide(ROWS)])
def test_row_numbers_are_optional(written: list[str], style: str) -> None:
    assert south(numbered(written, SOUTH, style)) == TEXT
    assert north(numbered([row[::-1] for row in reversed(written)], (7, 8, 9, 10), style)) == TEXT


@pytest.mark.parametrize("style", STYLES)
def test_row_numbers_give_the_order(style: str) -> None:
    assert south(numbered(list(reversed(ROWS)), (1, 2, 3, 4), style)) == TEXT
    assert north(numbered([row[::-1] for row in ROWS], NORTH, style)) == TEXT


def test_rows_of_north_are_rotated() -> None:
    assert north("\n".join(TURNED)) == TEXT


def test_file_letters_give_the_direction() -> None:
    straight, turned = "a b c d e f g h i j", "j i h g f e d c b a"
    assert south("\n".join([straight, *ROWS, straight])) == TEXT
    assert south("\n".join([turned, *(row[::-1] for row in ROWS)])) == TEXT
    assert north("\n".join([turned, *TURNED, turned])) == TEXT
    assert north("\n".join([straight, *reversed(ROWS)])) == TEXT


def test_one_line_set_ups_are_in_notation_order_for_both_seats() -> None:
    assert south(TEXT) == TEXT
    assert north(TEXT) == TEXT


@pytest.mark.parametrize("sign", [".", "-", "_", "·", "–"])
def test_an_empty_square_may_be_any_of_several_characters(sign: str) -> None:
    assert south("\n".join(row.replace(".", sign) for row in ROWS)) == TEXT
    assert south("\n".join(row.replace(".", sign) for row in wide(ROWS))) == TEXT


@pytest.mark.parametrize("style", ['"{r}"', "“{r}”", "*{r}*", "**{r}**", "{r},", "{r};", '"{r}",'])
@pytest.mark.parametrize("written", [ROWS, wide(ROWS)])
def test_marks_around_a_row_are_removed(written: list[str], style: str) -> None:
    assert south("\n".join(style.format(r=row) for row in written)) == TEXT


def test_a_block_may_have_runs_of_empty_squares() -> None:
    assert south(TEXT.replace("/", "\n")) == TEXT
    assert (
        south("\n".join(f"{n} {row}" for n, row in zip(SOUTH, TEXT.split("/"), strict=True)))
        == TEXT
    )


@pytest.mark.parametrize("style", ["{r}", *STYLES])
def test_tiles_are_two_digits_each(style: str) -> None:
    south = set_up_of(body(numbered(TILES, (3, 2, 1), style)))
    assert understood(south, Seat.SOUTH, "domino") == DOMINO
    turned = [" ".join(reversed(row.split())) for row in reversed(TILES)]
    north = set_up_of(body(numbered(turned, (8, 9, 10), style)))
    assert understood(north, Seat.NORTH, "domino") == DOMINO


@pytest.mark.parametrize("order", [(11, 12, 13), (13, 12, 11), (2, 1, 3)])
def test_tiles_at_the_edge_are_no_row_numbers(order: tuple[int, ...]) -> None:
    rest = "00 01 02 03 04 05 06"
    for rows in ([f"{n:02} {rest}" for n in order], [f"{rest} {n:02}" for n in order]):
        command = set_up_of(body("\n".join(rows)))
        assert command.rows == tuple(row.replace(" ", "") for row in rows)
        assert not command.row_numbers


@pytest.mark.parametrize("style", ["{r}", *STYLES])
def test_a_board_of_eight_files(style: str) -> None:
    rows = ["..VA...I", "PIPPPIFI", "CIPVACAP", "IIPVIAPV"]
    for written in (rows, wide(rows)):
        command = set_up_of(body(numbered(written, (4, 3, 2, 1), style)))
        assert understood(command, preset="tactique") == TACTIQUE


def test_ranks_of_the_chinese_edition() -> None:
    rows = ["999.9.9738", "8BF661.83B", "569759B9.7", "62445S9587"]
    command = set_up_of(body("\n".join(wide(rows))))
    assert understood(command, preset="lattaque-zh") == "/".join(rows)
    command = set_up_of(body("\n".join(wide(rows)).replace(".", "-")))
    assert understood(command, preset="lattaque-zh") == "/".join(rows)


def test_numeric_ranks_at_the_edge_are_no_row_numbers() -> None:
    rows = ["999.9.9738", "8BF661.83B", "769759B9.7", "62445S9587"]
    for written in (rows, [row[::-1] for row in rows]):
        command = set_up_of(body("\n".join(wide(written))))
        assert command.rows == tuple(written)


@pytest.mark.parametrize("wrong", ["RRR.R.RSC", "RRR.R.RSCEE", "RRRXR.RSCE"])
def test_a_wrong_row_is_kept_for_the_rules_to_refuse(wrong: str) -> None:
    command = set_up_of(body("\n".join([ROWS[1], wrong, *ROWS[2:]])))
    assert len(command.rows) == 4 and wrong in command.rows


def test_a_missing_row_is_left_for_the_rules_to_refuse() -> None:
    assert len(set_up_of(body("\n".join(ROWS[:3]))).rows) == 3


EMPTY = """\
Your set-up is awaited. Fill in the rows:

     a   b   c   d   e   f   g   h   i   j
 4   .   .   .   .   .   .   .   .   .   .   4
 3   .   .   .   .   .   .   .   .   .   .   3
 2   .   .   .   .   .   .   .   .   .   .   2
 1   .   .   .   .   .   .   .   .   .   .   1
     a   b   c   d   e   f   g   h   i   j"""


def filled_in(mark: str, rows: list[str] = ROWS) -> str:
    lines = EMPTY.split("\n")
    for place, row in enumerate(rows):
        number = SOUTH[place]
        lines[3 + place] = f" {number}   " + "   ".join(row) + f"   {number}"
    return "\n".join(mark + line for line in lines)


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "AB> ", " > "])
def test_rows_may_be_filled_in_inside_the_quotation(mark: str) -> None:
    command = set_up_of(body("On Sunday, Estafette wrote:\n" + filled_in(mark) + "\n"))
    assert command.quoted
    assert understood(command) == TEXT


def test_rows_may_be_filled_in_below_an_outlook_quotation_header() -> None:
    text = "Here you are.\n\nFrom: Estafette\nSent: Sunday\nTo: Anna\n\n" + filled_in("")
    command = set_up_of(body(text))
    assert command.quoted
    assert understood(command) == TEXT


def test_rows_may_be_filled_in_inside_an_html_quotation() -> None:
    shape = Shape("gmail", "", GMAIL.replace("{O}", "<pre>" + filled_in("") + "</pre>"))
    assert set_up_of(message(shape, "Done.")).quoted


def test_filled_in_rows_may_be_part_of_a_whole_board() -> None:
    above = [f"> {n:>2}   " + "   ".join("." * 10) + f"   {n}" for n in range(10, 4, -1)]
    lines = filled_in("> ").split("\n")
    command = set_up_of(body("\n".join([*lines[:3], *above, *lines[3:]])))
    assert understood(command) == TEXT


def test_quoted_empty_rows_are_no_set_up() -> None:
    assert not read(body("Later.\n\n" + EMPTY)).commands
    assert not read(
        body("Later.\n\n" + "\n".join("> " + row for row in EMPTY.split("\n")))
    ).commands


def test_quoted_rows_count_only_without_another_action() -> None:
    text = "random\n\n" + filled_in("> ")
    assert [command.verb for command in read(body(text)).commands] == [Verb.RANDOM]
    other = "\n".join(reversed(ROWS)) + "\n\n" + filled_in("> ")
    assert not set_up_of(body(other)).quoted


def test_a_board_of_a_running_match_is_no_set_up() -> None:
    board = """\
     a   b   c   d   e   f   g   h   i   j
10   n?  n?  n?  .   n?  n?  n?* ,   n?  n?  10
 9   n?  n?  .   n?  n?  n?  n?  n?  n?  n?   9
 8   .   n?  n?  n?  n?  .   n?  n?  n?  n?   8
 7   n?  .   n?  n?  .   n?  n?  .   n?  n?   7
 6   .   .   ~~  ~~  M!  .   ~~  ~~  .   .    6
 5   .   .   ~~  ~~  .   .   ~~  ~~  .   .    5
 4   R   R   R   .   R   .   R   S   C   E    4
 3   E   B   F   L   L   M   .   E   C   B    3
 2   K   L   R   S   K   B   R   .   B   S    2
 1   L   G   J   J   K   Y   R   K   E   S    1"""
    assert not read(body(board)).commands
    assert not read(body("d4-d5\n\n" + board)).commands[1:]


@pytest.mark.parametrize(
    "text",
    [
        "Mirabel is back\nClarissa came\nPeter left",
        "miracles\nfireside\nbaseball",
        "1 2 3 4 5 6 7 8\n\nhello",
        "a b c d e f g h\na b c d e f g h\na b c d e f g h",
        "2026-11-22\n2026-11-23\n2026-11-24",
        "0151 2345678\n0151 2345679\n0151 2345670",
        "I I I I I I I",
        "...........\n..........\n..........",
        "----------\n----------\n----------",
    ],
)
def test_other_lines_are_no_rows(text: str) -> None:
    assert not read(body(text)).commands


@pytest.mark.parametrize("mark", ["", "> "])
def test_a_cross_shaped_board_is_no_set_up(mark: str) -> None:
    board = """
         g   f   e   d   c   b   a
     7           .   .   .           7
     6           S   S   S           6
     5   S   S   S   o   S   S   S   5
     4   S   S   S   o   S   S   S   4
     3   S   S   S   S   S   S   .   3
     2           S   S   S           2
    """
    lines = [mark + line.strip() for line in board.splitlines()]
    assert not read_blocks(lines, quoted=bool(mark))
