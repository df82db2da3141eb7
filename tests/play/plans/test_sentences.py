"""Lines of a plan in words."""

import re

import pytest
from django.utils import translation

from games.plan_language.faults import BadLine, Fault
from games.plan_language.reading import mail_line, read_line
from games.play.plans.sentences import fault_text, line_sentences, line_text, plan_texts
from games.rules.core.basics.refusals import IllegalMove
from games.rules.registry import ruleset
from tests.floors import at_least

SAID = {
    "if e7-e6 then d5xe6": ["After e7-e6 your plan answers d5xe6."],
    "otherwise a1-a2": ["After any turn your plan answers a1-a2."],
    "if quiet then a1-a2 if any then a2-a3": [
        "After a turn that strikes nothing your plan answers a1-a2.",
        "Next, after any turn, it answers a2-a3.",
    ],
    "if xd4-d then c4xd4[C,I'] if e7xe4[F,M] then a1-a2": [
        "After a turn that strikes your piece on d4 your plan answers c4xd4.",
        "This counts only if the attacking piece is demoted.",
        "It goes on only if the piece attacked is one of these: Commander, demoted Infantry.",
        "Next, after e7xe4, it answers a1-a2.",
        "This counts only if the attacking piece is one of these: Flag.",
    ],
    "if e7xe4+ then d5xe6= if quiet then a1-a2": [
        "After e7xe4 your plan answers d5xe6.",
        "This counts only if your piece is captured.",
        "It goes on only if both pieces are captured.",
        "Next, after a turn that strikes nothing, it answers a1-a2.",
    ],
}


@pytest.mark.parametrize("text", SAID)
def test_a_line_is_described_in_sentences(text: str) -> None:
    line = read_line(text.replace("F,M", "F"))
    assert line_sentences(ruleset("tactique"), line) == SAID[text]


def test_any_other_turn_is_mentioned_only_if_there_are_other_conditions() -> None:
    plan = (
        "if e7-e6 then a1-a2 if quiet then b1-b2",
        "if e7-e6 then a1-a2 if any then b2-b3",
        "if quiet then a1-a2 if any then a2-a3",
        "otherwise a1-a2",
    )
    sentences = plan_texts(ruleset("tactique"), [read_line(text) for text in plan])
    assert [re.findall("any (?:other )?turn", text) for text in sentences] == [
        [],
        ["any other turn"],
        ["any turn"],
        ["any other turn"],
    ]


def test_tiles_have_their_usual_names() -> None:
    line = read_line("if xc3[40,66] then a1-a2")
    assert line_text(ruleset("domino"), line).endswith("is one of these: 4-0, 6-6.")


def test_a_fault_names_its_line_and_the_reason_of_the_rules() -> None:
    bad = BadLine("%(answer)s: %(reason)s", answer="a1-a2", reason=IllegalMove("No."))
    assert fault_text(Fault(2, bad)) == "Line 2: a1-a2: No."
    assert fault_text(Fault(0, BadLine("Too many."))) == "Too many."


@pytest.mark.parametrize("language", ["en", "de", "fr", "zh-hant"])
def test_a_sentence_quoted_by_mail_is_no_line(language: str) -> None:
    signs = ("+", "-", "=", "+d", "-d", "[C]")
    lines = [f"if e7xe4{a} then d5xe6{b} if any then a1-a2" for a in signs for b in signs]
    lines += [*(text.replace("F,M", "F") for text in SAID), "if e7-e6 then a1-a2 if xd4 then a2-a3"]
    with translation.override(language):
        sentences = {
            sentence
            for text in lines
            for sentence in line_sentences(ruleset("tactique"), read_line(text))
        }
        sentences |= set(plan_texts(ruleset("tactique"), [read_line(text) for text in lines]))
    at_least(15, sentences)
    assert [sentence for sentence in sentences if mail_line(sentence) is not None] == []
