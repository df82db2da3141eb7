"""Own lines: quoted, hidden and wrapped text and signatures do not count."""

import pytest

from games.mail.reading.automatic_mail import Automatic
from games.mail.reading.commands import Verb
from games.mail.reading.parsed_message import ParsedMessage
from tests.mail.reading.reader import read

HEAD = "From: Anna <anna@example.org>\nMIME-Version: 1.0\n"
BOTH = "Content-Type: multipart/alternative; boundary=b\n\n--b\n"


def of_text(text: str) -> ParsedMessage:
    return read((HEAD + "Content-Type: text/plain; charset=utf-8\n\n" + text).encode())


def of_html(html: str) -> ParsedMessage:
    return read((HEAD + "Content-Type: text/html; charset=utf-8\n\n" + html).encode())


def of_both(text: str, html: str) -> ParsedMessage:
    parts = (
        f"Content-Type: text/plain; charset=utf-8\n\n{text}\n--b\n"
        f"Content-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
    )
    return read((HEAD + BOTH + parts).encode())


def moves(parsed: ParsedMessage) -> list[str]:
    assert not parsed.problem
    return [c.move_text if c.verb is Verb.MOVE else c.verb.value for c in parsed.commands]


LONG = "I thought for a long time about what you could mean by this, and now"


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG}\nd4-d5",
        f"{LONG}\nboard.",
        f"{LONG}\nresign",
        f"d{LONG}\r\nd4-d5\r\n",
        f"> {'x' * 60} bert has\nmoves",
        f"> {'a b ' * 17}\nd4-d5",
        "> d4-d5",
        ">d4-d5",
        " > d4-d5",
        "E> d4-d5",
        "abc> d4-d5",
        ">> d4-d5",
        "> > d4-d5",
        "-- \nd4-d5",
        "--\nd4-d5",
        "--\u00a0\nd4-d5",
        "________________________________\nd4-d5",
        "-----Original Message-----\nd4-d5",
        "-------- Ursprüngliche Nachricht --------\nd4-d5",
        "----- 原始郵件 -----\nd4-d5",
        "---------- Forwarded message ---------\nd4-d5",
        "------------------&nbsp;Original&nbsp;------------------\nd4-d5",
        "From: x\nTo: y\nd4-d5",
        "From: x\n\n\n\n\n\nTo: y\nd4-d5",
        "*Von:* x\n*Gesendet:* y\n\nd4-d5",
        "De : x\nEnvoyé : y\n\nd4-d5",
        "寄件者： x\n主旨： y\n\nd4-d5",
        "Sent: x\nFrom: y\nd4-d5",
    ],
)
def test_lines_that_the_sender_did_not_write_are_no_commands(text: str) -> None:
    assert moves(of_text(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG}\n\nd4-d5",
        f"{LONG[:60]}\nd4-d5",
        f"{LONG}\nstill prose\nd4-d5",
        "> short\nd4-d5",
        "> https://play.example.org/stop/17/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKl\nd4-d5",
        "d4-d5\n> d7-d6",
        "> d7-d6\n\nd4-d5",
        "d4-d5\n-- \nresign",
        "d4-d5&nbsp;",
        "&nbsp;d4-d5",
        "\n\n\n\nd4-d5",
        "d4-d5\r\n",
        "d4-d5\r\rx",
        "\ufeffd4-d5",
        "From: x\nd4-d5",
        "d4-d5\n\nFrom: x\nTo: y\nresign",
        "To: y\nSubject: z\nd4-d5",
        "-----\nd4-d5",
        "___\nd4-d5",
        "=====\nd4-d5",
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nd4-d5\n"
        "-----BEGIN PGP SIGNATURE-----\nno",
    ],
)
def test_lines_of_the_sender_are_parsed(text: str) -> None:
    assert moves(of_text(text)) == ["d4-d5"]


@pytest.mark.parametrize(
    "html",
    [
        "d4-d5",
        "<p>d4-d5",
        "<div>d4-d5</div>",
        "<P><B>d4</B>-<i>d5</i></P>",
        "Hello<br>d4-d5<br/>Anna",
        "<table><tr><td>Hello<td>d4-d5</table>",
        "<pre>Hello\nd4-d5\nAnna</pre>",
        '<div style="white-space: pre-wrap">Hello\nd4-d5</div>',
        "<ul><li>d4-d5</li></ul>",
        "d4&#45;d5",
        "d4&ndash;d5",
        "<p>d4\n-\nd5</p>",
        "d4-d5<blockquote>d7-d6</blockquote>",
        "<blockquote>d7-d6</blockquote>d4-d5",
        '<div class="gmail_quote">d7-d6</div><div>d4-d5</div>',
        '<p>d4-d5</p><div class="x_gmail_quote">resign</div>',
        '<p>d4-d5</p><div id="x_divRplyFwdMsg">From</div>resign',
        '<p>d4-d5</p><hr id="stopSpelling">resign',
        "<style>p {}</style><script>resign</script><title>no</title><p>d4-d5",
        "<!-- resign --><p>d4-d5<!-- > -->",
        "<!DOCTYPE html><?xml version='1'?><![if !mso]><p>d4-d5<![endif]>",
        '<p title="a > b">d4-d5',
        "<p>d4-d5</p><p hidden>resign",
        '<p>d4-d5</p><div style="display:none">resign</div>',
        '<div style="DISPLAY: none">resign</div>d4-d5',
        '<span style="font-size:0px">resign</span><p>d4-d5',
        '<span style="mso-hide:all">resign</span><p>d4-d5',
        "<p><s>d4-e4</s></p><p>d4-d5",
        '<div style="font-size:0.9em;opacity:0.8">d4-d5</div>',
        "<p>d4-d5</p><p>-- </p><p>resign</p>",
        "<p>d4-d5</p><p>From: x</p><p>Sent: y</p><p>resign</p>",
        "<p>d4-d5 < 3</p><p>d4-d5",
        "<p>d4-d5</p><p unclosed",
    ],
)
def test_html_is_parsed_as_it_is_seen(html: str) -> None:
    assert moves(of_html(html)) == ["d4-d5"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>I play d4-d5</p>",
        "<table><tr><td>d4<td>d5</table>",
        "<p>d4</p><p>d5</p>",
        "<del>d4-d5</del>",
        '<span style="text-decoration: line-through">d4-d5</span>',
        "<blockquote>d4-d5",
        "<p>d4-d5" + "x" * 300,
        "<p>d4-d5" + " x" * 300,
    ],
)
def test_hidden_html_is_ignored(html: str) -> None:
    assert moves(of_html(html)) == []


def test_html_counts_only_if_the_text_has_no_command() -> None:
    assert moves(of_both("d4-d5", "<p>d4-d5")) == ["d4-d5"]
    assert moves(of_both("I see.", "<p>d4-d5")) == ["d4-d5"]
    assert moves(of_both("board", "<p>d4-d5")) == ["board"]
    assert moves(of_both(f"{LONG}\nd4-d5", f"<p>{LONG}</p><p>d4-d5")) == ["d4-d5"]


@pytest.mark.parametrize(
    ("text", "html", "differ"),
    [
        ("d4-d5", "<p>d4-e4", True),
        ("d4-d5", "<p>d4-d5<p>resign", True),
        ("resign", "<p>d4-d5", True),
        ("d4-d5", "<p>D4 d5.", False),
        ("d4-d5", "<p>nothing", False),
        ("nothing", "<p>d4-d5", False),
        ("d4-d5", "<p>board", False),
        ("d4-d5\nboard", "<p>d4-d5", False),
        ("d4-d5\n\ndraw?", "<p>draw?<p>d4-d5", False),
    ],
)
def test_text_and_html_that_ask_for_different_actions_are_in_conflict(
    text: str, html: str, differ: bool
) -> None:
    assert of_both(text, html).conflict is differ


def test_inline_texts_are_parsed_and_attachments_are_not() -> None:
    parts = (
        "Content-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\nHello\n"
        "--b\nContent-Type: image/png\nContent-Disposition: inline; filename=x.png\n\nx\n"
        "--b\nContent-Type: text/plain\n\nd4-d5\n"
        "--b\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nresign\n"
        "--b\nContent-Type: text/plain\nContent-Disposition: inline; filename=a.txt\n\nresign\n"
        "--b\nContent-Type: message/rfc822\n\nFrom: b@example.org\n\nresign\n"
        "--b--\n"
    )
    parsed = read((HEAD + parts).encode())
    assert moves(parsed) == ["d4-d5"]
    assert parsed.own_lines[0] == "Hello" and "d4-d5" in parsed.own_lines


def test_an_attached_message_is_no_sign_of_automatic_mail() -> None:
    parts = (
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nd4-d5\n"
        "--b\nContent-Type: message/rfc822\n\n"
        "Content-Type: multipart/report; boundary=c\n\n--c\n\nresign\n--c--\n--b--\n"
    )
    parsed = read((HEAD + parts).encode())
    assert moves(parsed) == ["d4-d5"] and parsed.automatic is Automatic.NO


def test_lines_are_limited_in_number_and_length() -> None:
    parsed = of_text("x" * 1_000 + "\n" + "y\n" * 5_000 + "\nd4-d5")
    assert len(parsed.own_lines) == 4_000
    assert max(map(len, parsed.own_lines)) == 300
    assert moves(parsed) == []
    assert moves(of_text("d4-d5" + " " * 290 + "!" * 20)) == []


CHARSETS = """utf-8 UTF-8 utf8 us-ascii iso-8859-1 ISO_8859-1 latin1 iso-8859-2 iso-8859-15
windows-1252 cp1252 windows-1251 koi8-r koi8-u big5 gb2312 GBK gb18030 iso-2022-jp euc-jp shift_jis
euc-kr ks_c_5601-1987 windows-874 macintosh x-nope unicode_escape rot13 zlib idna punycode utf-7
"""


@pytest.mark.parametrize("charset", CHARSETS.split())
def test_any_charset_lets_plain_letters_through_and_none_runs_code(charset: str) -> None:
    raw = f"From: a@example.org\nContent-Type: text/plain; charset={charset}\n\nd4-d5\n\\x41\n"
    assert moves(read(raw.encode())) == ["d4-d5"]
    assert "\\x41" in "".join(read(raw.encode()).own_lines) or charset in (
        "shift_jis",
        "iso-2022-jp",
    )


@pytest.mark.parametrize(
    "charset",
    [
        "unicode_escape",
        "idna",
        "x-nope",
        "a\0b",
        "",
        '"',
        "utf-8\u00e9",
        "x; charset*=a; charset*0=b",
    ],
)
def test_no_codec_named_in_a_message_is_used(charset: str) -> None:
    head = f"From: a@example.org\nContent-Type: text/plain; charset={charset}\n\n"
    parsed = read(head.encode() + b"\xff\xe4\\x41\n\nd4-d5")
    assert moves(parsed) == ["d4-d5"]
    assert "\\x41" in parsed.own_lines[0]


def test_other_charsets_are_decoded() -> None:
    for charset, word in (
        ("big5", "認輸"),
        ("gb18030", "认输"),
        ("gb2312", "认输"),
        ("utf-16", "認輸"),
    ):
        head = f"From: a@example.org\nContent-Type: text/plain; charset={charset}\n\n"
        assert moves(read(head.encode() + word.encode(charset))) == ["resign"]
    latin = b"From: a@example.org\nContent-Type: text/plain; charset=iso-8859-1\n\n"
    assert moves(read(latin + "règles\n\nzüge".encode("latin-1"))) == ["rules", "moves"]


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("x-gbk", "gbk"),
        ("x-x-big5", "big5"),
        ("windows-936", "gbk"),
        ("windows-950", "big5"),
        ("gb_2312-80", "gbk"),
        ("utf-7", "utf-7"),
        ("hz", "hz"),
    ],
)
def test_alias_names_of_charsets_are_known(charset: str, codec: str) -> None:
    word = "认输" if codec == "hz" else "認輸"
    head = f"From: a@example.org\nContent-Type: text/plain; charset={charset}\n\n"
    assert moves(read(head.encode() + word.encode(codec))) == ["resign"]


def test_html_may_declare_its_charset() -> None:
    head = b"From: a@example.org\nContent-Type: text/html\n\n"
    for meta in (
        '<meta charset="big5">',
        '<meta http-equiv="Content-Type" content="text/html; charset=big5">',
    ):
        page = f"<html><head>{meta}</head><body><p>認輸</p></body></html>"
        assert moves(read(head + page.encode("big5"))) == ["resign"]
