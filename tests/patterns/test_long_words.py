"""Long words in addresses, forms and messages: never a number that Python refuses to make."""

import pytest
from django.test import Client, RequestFactory

from games.archive.views import query_parameters
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.reading.grammar.line_parser import read_line
from games.mail.reading.grammar.set_up_rows import read_row
from games.play import time_controls
from games.play.converters import NO_ROW, read_number
from games.play.views.arrival import _read
from tests.patterns.calls import calls

DIGITS = "9" * 5_000  # more than Python makes a number of


def test_an_id_of_thousands_of_digits_is_not_found() -> None:
    assert read_number(DIGITS) == NO_ROW
    assert read_number(f"{DIGITS}x") is None
    request = RequestFactory().get("/", {"ply": DIGITS, "move": DIGITS})
    assert query_parameters.number(request, "ply") is None
    assert query_parameters.requested_ply(request) is None


def test_a_time_control_of_thousands_of_digits_is_refused() -> None:
    for text in (DIGITS, f"{DIGITS}d", f"1d+{DIGITS}h", f"1d+1h^{DIGITS}h"):
        with pytest.raises(ValueError, match="is no time control"):
            time_controls.parse(text)


def test_a_stamp_of_thousands_of_digits_is_ignored() -> None:
    assert _read(DIGITS) == _read(f"t={DIGITS}.{DIGITS}") == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        f"/help/lessons/lattaque/marshal/{DIGITS}",
        f"/match/{DIGITS}/",
        f"/archive/{DIGITS}/",
        f"/archive/?newer_than={DIGITS}",
    ],
)
def test_a_page_of_thousands_of_digits_causes_no_error(client: Client, address: str) -> None:
    assert client.get(address).status_code in (200, 302, 404)


@pytest.mark.parametrize(
    "line",
    [
        DIGITS[:2_000],
        DIGITS[:250],
        f"#{DIGITS[:250]}: resign",
        f"board {DIGITS[:250]}",
        f"wait {DIGITS[:250]} days",
        f"setup: {DIGITS[:240]}/1/1/1",
        "/".join([DIGITS[:24]] * 4),
        f"a{DIGITS[:100]}-a{DIGITS[:100]}",
    ],
)
def test_a_line_of_many_digits_is_prose_or_a_command_and_no_error(line: str) -> None:
    known = vocabulary()
    read_line(line, known)
    read_row(line, known, quoted=True)


def test_quotation_marks_around_a_row_are_removed_up_to_a_few_layers() -> None:
    known = vocabulary()
    row = "RRRR1RSCEM"
    assert read_row(f'*"{row}",*', known, quoted=False) == read_row(row, known, quoted=False)
    few, many = (
        calls(lambda marks: read_row(f"{marks}{row}{marks}", known, quoted=False), '"' * count)
        for count in (20, 140)
    )
    assert many <= few + 10
