"""Bodies: what is read, and what is refused before anything acts on it."""

import json
from typing import Any

import pytest
from django.test import RequestFactory

from games.api.gate import bodies
from games.api.gate.problems import Problem
from tests.api.client import Program, code


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


NO_JSON = [
    *(b"", b"{", b"nonsense", b'{"a": 1}}', b"NaN", b"[Infinity]", b"-Infinity", b"1e400"),
    *(b"\xff\xfe", b"\xef\xbb\xbf{}", b"'a'", b'["\x01"]', b"9" * 10_000, b'{"a": 1, "a": 2}'),
    *(b'"\\ud800"', b'{"\\udfff": 1}', b'"\\u0000"', b'{"a\\u0000": 1}'),
    *(deep(bodies.MAX_DEPTH + 1), deep(8_000), b'{"a": [[[[[[[["x"]]]]]]]]}'),
]


@pytest.mark.parametrize("body", NO_JSON, ids=lambda body: repr(body[:20]))
def test_invalid_json_is_malformed(body: bytes) -> None:
    with pytest.raises(Problem) as raised:
        bodies.read_json(body)
    assert raised.value.code == "malformed"


@pytest.mark.parametrize(
    "value", [{}, {"move": "a4-a5", "ply": 14}, {"note": "軍旗 𝄞 \\ / \n"}, [1, 2.5, None, True]]
)
def test_json_is_read(value: Any) -> None:
    assert bodies.read_json(json.dumps(value).encode()) == value
    assert bodies.read_json(json.dumps(value, ensure_ascii=False).encode()) == value
    assert bodies.read_json(deep(bodies.MAX_DEPTH))


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonx"]
)
def test_another_type_is_refused(content_type: str) -> None:
    request = RequestFactory().generic("POST", "/", b"{}", content_type=content_type)
    with pytest.raises(Problem) as raised:
        bodies.JsonParser().parse_body(request)
    assert raised.value.code == "unsupported-media-type"


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
def test_json_is_named_with_or_without_its_charset(content_type: str) -> None:
    request = RequestFactory().generic("POST", "/", b'{"a": 1}', content_type=content_type)
    assert bodies.JsonParser().parse_body(request) == {"a": 1}


def test_a_body_that_is_too_large_is_not_read(alice_program: Program) -> None:
    for body in (b" " * (bodies.MAX_BODY_BYTES + 1), b" " * 3_000_000):
        assert code(alice_program.send("POST", "/account", body)) == (413, "too-large")
    assert code(alice_program.send("POST", "/account", b" " * bodies.MAX_BODY_BYTES))[0] == 405
    for length in ("-1", "9" * 5_000, "nonsense"):
        answer = alice_program.send("GET", "/account", CONTENT_LENGTH=length)
        assert code(answer) == (413, "too-large")


def test_an_empty_body_is_no_json(alice_program: Program) -> None:
    # Django's client sends no type with an empty body.
    answer = alice_program.send("POST", "/invitations", CONTENT_TYPE="application/json")
    assert code(answer) == (400, "malformed")
    assert code(alice_program.send("POST", "/invitations", b" \n")) == (400, "malformed")
    assert code(alice_program.send("POST", "/invitations")) == (415, "unsupported-media-type")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        *((b'{"note": ""}', (422, "invalid")), (b"[]", (422, "invalid"))),
        *((b"null", (422, "invalid")), (b"{", (400, "malformed")), (b"\0", (400, "malformed"))),
        *((b"", (404, "not-found")), (b" {} ", (404, "not-found"))),
    ],
)
def test_an_operation_without_a_body_refuses_one(
    alice_program: Program, body: bytes, expected: tuple[int, str]
) -> None:
    for content_type in ("application/json", "application/x-www-form-urlencoded", ""):
        answer = alice_program.send("POST", "/invitations/1/decline", body, content_type)
        assert code(answer) == expected


def test_reading_takes_no_body(alice_program: Program) -> None:
    for method in ("GET", "HEAD"):
        refused = alice_program.send(method, "/account", b'{"a": 1}')
        assert refused.status_code == 422
        for body in (b"", b"{}", b" {} "):
            assert alice_program.send(method, "/account", body).status_code == 200
    assert code(alice_program.send("GET", "/account", b"{")) == (400, "malformed")
    assert code(alice_program.send("GET", "/account", b"a=1", "text/plain")) == (400, "malformed")


def test_values_of_a_wrong_type_are_named_once(alice_program: Program) -> None:
    body = {"preset": "lattaque-en", "switches": {"limit": None, "faceup": 1.5}, "pace": "4d"}
    errors = json.loads(alice_program.send("POST", "/invitations", body).content)["errors"]
    assert [each["where"] for each in errors] == [
        "body.switches.limit",
        "body.switches.faceup",
        "body.pace",
    ]
    assert " or " not in errors[2]["detail"]
    assert "'30d+3d', 'none'" in errors[2]["detail"]
