"""Joined sentences and labels."""

import pytest
from django.template import engines
from django.utils import translation

from lib.sentences import in_a_row

LINE = "{% load i18n formatting %}{% translate 'Open match' %}{% colon %}https://example.org/"


def test_a_chinese_full_stop_is_followed_by_no_space() -> None:
    assert in_a_row(["兩步。", "三步。", "Two."]) == "兩步。三步。Two."


@pytest.mark.parametrize(
    ("language", "colon"),
    [("en", ": "), ("de", ": "), ("fr", "\N{NO-BREAK SPACE}: "), ("zh-hant", "：")],
)
def test_a_colon_is_spaced_as_the_language_does(language: str, colon: str) -> None:
    with translation.override(language):
        written = engines["django"].from_string(LINE).render()
    assert written.endswith(f"{colon}https://example.org/")
