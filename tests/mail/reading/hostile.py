# ruff: noqa: E501 - one message per line.
"""Hostile messages, which cost a naive parser minutes, all memory or all stack."""

HEAD = b"From: a@example.org\r\nMessage-ID: <1@example.org>\r\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
MAX_MESSAGE_BYTES = 1024 * 1024


def text(body: bytes | str, charset: bytes = b"utf-8") -> bytes:
    body = body.encode() if isinstance(body, str) else body
    return HEAD + b"Content-Type: text/plain; charset=" + charset + b"\r\n\r\n" + body


def html(body: bytes) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + body


def lines(line: str, count: int) -> bytes:
    return text((line + "\n") * count)


def nested(kind: str, depth: int) -> bytes:
    opening = "Content-Type: multipart/{0}; boundary=b{1}\r\n\r\n--b{1}\r\n"
    return HEAD + "".join(opening.format(kind, level) for level in range(depth)).encode() + b"\r\nx"


def continued(count: int) -> bytes:
    return b"".join(b"\r\n charset*%d=u;" % number for number in range(count))


MESSAGES = {
    "60,000 quotes in From": b"From: " + b'"' * 60_000 + b"\r\n\r\nd4-d5",
    "60,000 escapes in From": b"From: " + b'"\\' * 30_000 + b"\r\n\r\nd4-d5",
    "60,000 parentheses in From": b"From: " + b"(" * 60_000 + b"\r\n\r\nd4-d5",
    "1,900 parentheses in From": b"From: " + b"(" * 1_900 + b"\r\n\r\nd4-d5",
    "3,000 nested comments in To": HEAD + b"To: " + b"(" * 3_000 + b")" * 3_000 + b"\r\n\r\nx",
    "5,000 From": b"From: a@example.org\r\n" * 3_000 + b"\r\nd4-d5",
    "60,000 commas in From": b"From: " + b"," * 60_000 + b"\r\n\r\nd4-d5",
    "a subject of encoded words": HEAD + b"Subject: " + b"=?utf-8?q?" * 6_000 + b"\r\n\r\nx",
    "a subject of short words": HEAD + b"Subject: " + b"=?utf-8?b?YQ==?= " * 3_000 + b"\r\n\r\nx",
    "a subject folded 15,000 times": HEAD + b"Subject: " + b"a\r\n " * 15_000 + b"\r\n\r\nx",
    "continuations in the header": HEAD + b"Content-Type: text/plain;" + continued(3_000) + b"\r\n\r\nx",
    "200 continuations": HEAD + b"Content-Type: text/plain;" + continued(200) + b"\r\n\r\nd4-d5",
    "continuations in a part": MIXED + b"--x\r\nContent-Type: text/plain;" + continued(20_000) + b"\r\n",
    "60,000 semicolons": HEAD + b"Content-Type: multipart/mixed" + b";" * 60_000 + b"\r\n\r\nx",
    "semicolons in 20 parts": MIXED + (b"--x\r\nContent-Type: text/plain" + b";" * 3_900 + b"\r\n\r\nx\r\n") * 20,
    "100,000 parts": MIXED + b"--x\r\n\r\n\r\n" * 100_000,
    "399 parts": MIXED + b"--x\r\n\r\n\r\n" * 399,
    "1,000 messages in each other": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 1_000 + b"x",
    "12 messages in each other": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 12 + b"a\r\n" * 300_000,
    "1,000 parts in each other": nested("mixed", 1_000),
    "11 parts in each other": nested("mixed", 11) + b"\r\nx" * 300_000,
    "folded types in each other": HEAD + b"Content-Type:\r\n\tmultipart/mixed; boundary=b\r\n\r\n--b\r\n" * 300,
    "digests in each other": nested("digest", 11),
    "a boundary of nothing": HEAD + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nx',
    "no boundary": HEAD + b"Content-Type: multipart/mixed\r\n\r\nd4-d5",
    "one line": text("d4-d5 " * 170_000),
    "nothing but line ends": text("\n" * MAX_MESSAGE_BYTES),
    "carriage returns": text("\r" * MAX_MESSAGE_BYTES),
    "carriage returns in the header": HEAD + b"X: " + b"\r" * 60_000 + b"\r\n\r\nd4-d5",
    "150,000 moves": lines("d4-d5", 150_000),
    "lines of moves": lines("d4-d5 " * 49, 3_400),
    "marks of quotation": text(">" * MAX_MESSAGE_BYTES),
    "300,000 quoted lines": lines("> ", 300_000),
    "dashes": text("-" * MAX_MESSAGE_BYTES),
    "dashes and blanks": lines("---" + " " * 290 + "x", 3_000),
    "bullets": text("- " * 500_000),
    "underscores": text("_" * MAX_MESSAGE_BYTES),
    "emphasis": lines("*" * 299, 3_400),
    "quotation marks": lines('"*' * 149, 3_400),
    "written no-break spaces": lines("&nbsp;" * 299, 600),
    "60,000 marks on one letter": text("d" + "\u0301" * 60_000),
    "lines of marks": lines("d" + "\u0301" * 298, 1_700),
    "marks of two classes": lines("d" + "\u0301\u0323" * 149, 1_700),
    "letters that become eighteen": lines("\ufdfa" * 299, 1_100),
    "Hangul in parts": lines("\u1100\u1161" * 149, 1_100),
    "zero-width signs": lines("\u200b" * 299, 1_100),
    "half a surrogate pair": text("+2AA-d4", b"utf-7"),
    "Python's own escapes": text(b"\\x41" * 1_000, b"unicode_escape"),
    "a codec that is no charset": text(b"a." * 500_000, b"idna"),
    "a charset of nothing": text(b"d4-d5", b""),
    "switches of charset": text(b"\x1b$B" * 300_000, b"iso-2022-jp"),
    "switches of hz": text(b"~{" * 500_000, b"hz-gb-2312"),
    "30,000 cells": html(b"<table>" + b"<tr><td>d4</td>" * 30_000 + b"</table>"),
    "200,000 open cells": html(b"<td>" * 200_000),
    "200,000 open elements": html(b"<div>" * 200_000),
    "nested tables": html(b"<table><tr><td>" * 60_000),
    "other ends": html(b"<div>" * 99 + b"</b>" * 200_000),
    "250,000 open comments": html(b"<!--" * 250_000),
    "open declarations": html(b"<!" * 500_000),
    "open sections": html(b"<![CDATA[" * 100_000),
    "open instructions": html(b"<?" * 500_000),
    "less than": html(b"<" * 1_000_000),
    "open tags": html(b"<a " * 300_000),
    "open values": html(b'<a b="' * 150_000),
    "values over tags": html(b'<a b=">' * 150_000),
    "tags of 1,900 attributes": html((b"<a " + b"a=1 " * 900 + b">x") * 70),
    "tags of slashes": html((b"<a" + b"/" * 3_900 + b">x") * 60),
    "tags of equals signs": html((b"<a" + b"=" * 3_900 + b">x") * 60),
    "tags of blanks": html((b"<a a" + b" " * 3_900 + b">x") * 60),
    "long styles": html((b'<p style="' + b"opacity:0" + b"." * 3_000 + b'">x') * 70),
    "long classes": html((b'<p class="' + b"x_" * 1_900 + b'">x') * 60),
    "open scripts": html(b"<script>" * 100_000),
    "17,000 styles": html(b"<style></style>" * 17_000),
    "ampersands": html(b"&" * 1_000_000),
    "open references": html(b"&#x" * 300_000),
    "a reference of 900,000 figures": html(b"&#" + b"9" * 900_000),
    "preformatted lines": html(b"<pre>" + b"\n" * 900_000),
    "220,000 line breaks": html(b"<br>" * 220_000),
    "labels": lines("From: a", 4_000),
    "labels of one kind": lines("Sent: a", 4_000),
    "padding": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"====\n" * 200_000,
    "base64 with other signs": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"!A=" * 340_000,
    "soft line ends": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=\n" * 500_000,
    "80,000 beginnings": HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\n" + b"begin 644 x\n" * 80_000,
    "zero bytes": b"\0" * MAX_MESSAGE_BYTES,
    "bytes of 255": b"\xff" * MAX_MESSAGE_BYTES,
    "nothing": b"",
    "a line end": b"\n",
    "a header without an end": b"X: y\r\n" * 170_000,
    "fields without values": b"X:\r\n" * 16_000 + b"\r\nx",
    "a field folded 20,000 times": b"X: y\r\n" + b" \r\n" * 20_000 + b"a: b\r\n\r\nx",
    "4,000 Received": b"Received: x\r\n" * 4_000 + b"\r\nx",
    "results of parentheses": b"Authentication-Results: " + b"(" * 60_000 + b"\r\n\r\nx",
    "4,000 rows": lines("R R R . R . R S C E", 4_000),
    "4,000 numbered rows": lines("4 R R R . R . R S C E\nx", 2_000),
    "slashes": lines("RRR/" * 74, 3_400),
    "files": lines("a b c d e f g h", 4_000),
    "figures": lines("1 " * 149, 3_400),
    "numbers": lines("1) " * 99, 3_400),
    "joints": lines("d4" + "-" * 290, 3_400),
    "squares": lines("d4" * 149, 3_400),
    "matches": lines("7: " * 99, 3_400),
    "notes": lines("note " * 59, 3_400),
    "words to the opponent": text("say x\n" + "good game\n" * 9_000),
    "challenges": lines("challenge " + "a" * 280, 3_400),
}  # fmt: skip
