"""Header fields: From, Authentication-Results, Received, Message-ID."""

from base64 import b64encode

import pytest

from tests.mail.reading.reader import read

BODY = "\r\nd4-d5\r\n"


def from_addresses(*values: str) -> tuple[str, ...]:
    fields = "".join(f"From: {value}\r\n" for value in values)
    return read((fields + BODY).encode()).from_addresses


@pytest.mark.parametrize(
    "value",
    [
        "anna@example.org",
        "<anna@example.org>",
        "Anna <anna@example.org>",
        "Anna B. C. <anna@example.org>",
        '"Anna, of the Marsh" <anna@example.org>',
        r'"Anna \"A\" B" <anna@example.org>',
        "=?utf-8?q?=C3=84nna?= <anna@example.org>",
        "Änna <anna@example.org>",
        "anna@example.org (Anna)",
        "Anna (at (home)) <anna@example.org>",
        "anna@example.org <anna@example.org>",
        '"bert@example.org" <anna@example.org>',
        "\r\n Anna\r\n\t<anna@example.org>",
        "'Anna' <anna@example.org>",
    ],
)
def test_a_mailbox_is_parsed(value: str) -> None:
    assert from_addresses(value) == ("anna@example.org",)


def test_the_address_is_kept_as_written() -> None:
    assert from_addresses("Anna <Anna.B+x@Example.ORG>") == ("Anna.B+x@Example.ORG",)


@pytest.mark.parametrize(
    "values",
    [
        ["anna@example.org, bert@example.org"],
        ["anna@example.org", "bert@example.org"],
        ["anna@example.org", "anna@example.org"],
        ["Anna <anna@example.org>, Bert <bert@example.org>"],
    ],
)
def test_all_mailboxes_of_all_from_fields_are_listed(values: list[str]) -> None:
    assert len(from_addresses(*values)) == 2


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Anna",
        "anna@",
        "@example.org",
        "anna@example..org",
        "anna@-example.org",
        "änna@example.org",
        "anna@[127.0.0.1]",
        "anna@example.org.",
        "anna @example.org",
        "Anna <anna@example.org",
        "Anna anna@example.org",
        "Anna <anna@example.org> <bert@example.org>",
        "<anna@example.org> bert@example.org",
        "bert@example.org <anna@example.org>",
        "<@relay.example:anna@example.org>",
        "friends: anna@example.org;",
        "anna@example.org,",
        '"Anna <anna@example.org>',
        "(anna@example.org",
        "<<anna@example.org>>",
        "anna@example.org\0",
        "a@b" + "c" * 3_000,
        '"' * 60_000,
        "(" * 3_000 + ")" * 3_000,
        "anna@example.org bert@example.org",
    ],
)
def test_an_invalid_from_field_has_no_mailboxes(value: str) -> None:
    assert from_addresses(value) == ()
    assert from_addresses("anna@example.org", value) == ()


def test_a_bare_carriage_return_invalidates_the_from_fields() -> None:
    raw = "From: anna@example.org\r\nX: y\rAuthentication-Results: mx; dmarc=pass\r\n" + BODY
    parsed = read(raw.encode())
    assert parsed.from_addresses == () and parsed.results == ()


def test_only_results_above_the_second_received_field_count() -> None:
    raw = (
        "Authentication-Results: mx.example; dmarc=pass\r\n header.from=example.org\r\n"
        "Received: from a by mx.example;\r\n\tSun, 22 Nov 2026 10:00:00 +0000\r\n"
        "Authentication-Results: mx.example; spf=pass\r\n"
        "Received: from b by a\r\n"
        "Authentication-Results: mx.example; dmarc=fail\r\n"
        "From: anna@example.org\r\n"
    )
    parsed = read((raw + BODY).encode())
    assert parsed.results == (
        "mx.example; dmarc=pass header.from=example.org",
        "mx.example; spf=pass",
    )
    assert parsed.received == "from a by mx.example; Sun, 22 Nov 2026 10:00:00 +0000"


def test_field_names_are_case_insensitive_and_may_end_in_a_space() -> None:
    raw = "RECEIVED: a\r\nReceived : b\r\nauthentication-results: mx; dmarc=pass\r\n"
    parsed = read((raw + "FROM: a@b.example\r\n" + BODY).encode())
    assert parsed.results == () and parsed.from_addresses == ("a@b.example",)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("<a@b>", "<a@b>"),
        (" <a@b> ", "<a@b>"),
        ("<a@b>" + "x" * 250, ""),
        ("<ä@b>", ""),
        ("<a\0@b>", ""),
        ("", ""),
    ],
)
def test_an_invalid_message_id_is_dropped(value: str, expected: str) -> None:
    assert read(f"Message-ID: {value}\r\n{BODY}".encode()).message_id == expected


ODD_LINES = (
    "X-Scanned : yes",
    ">From someone Mon Nov 23 10:00:00 2026",
    "a line without a colon",
    "X-Geprüft: ja",
    "X-Spam: a\rb",
    "An odd line\r\n folded: no",
)


@pytest.mark.parametrize("odd", ODD_LINES)
@pytest.mark.parametrize("line_break", ["\r\n", "\n"])
def test_a_line_that_is_no_field_does_not_end_the_header(odd: str, line_break: str) -> None:
    lines = (
        "From: anna@example.org", "To: x", odd, 'Content-Type: text/plain; charset="utf-16"',
        "Content-Transfer-Encoding: base64", "", b64encode("d4-d5".encode("utf-16")).decode(),
    )  # fmt: skip
    parsed = read(line_break.join(lines).encode())
    assert parsed.own_lines == ("d4-d5",) and len(parsed.commands) == 1
    # With a bare carriage return nobody may act.
    assert parsed.from_addresses == (() if "\r" in odd[:10] else ("anna@example.org",))


@pytest.mark.parametrize("odd", ODD_LINES)
def test_parts_are_found_below_a_line_that_is_no_field(odd: str) -> None:
    lines = (
        "From: anna@example.org", odd, "Content-Type: multipart/alternative;", ' boundary="x"', "",
        "--x", "Content-Type: text/plain; charset=utf-8", "", "d4-d5",
        "--x", "Content-Type: text/html", "", "<p>d4-d5</p>", "--x--",
    )  # fmt: skip
    parsed = read("\r\n".join(lines).encode())
    assert parsed.own_lines == parsed.html_own_lines == ("d4-d5",)


@pytest.mark.parametrize("odd", ["no field", "a\rb: c"])
def test_lines_that_are_no_fields_hide_no_long_field_from_the_limits(odd: str) -> None:
    parts = "".join(f"\r\n{odd}\r\n ; a*{number}=x" for number in range(2_000))
    raw = f"From: anna@example.org\r\nContent-Type: text/plain{parts}\r\n\r\nd4-d5\r\n"
    parsed = read(raw.encode())
    assert parsed.problem == "header too large" and not parsed.commands
