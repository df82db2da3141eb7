"""The language of plans: lines as people type them, in four languages, on pages and in e-mails."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.plan_language.faults import BadLine
from games.plan_language.lines import SIGNS, Condition, Line, Seen, Step, write_line
from games.plan_language.reading import mail_line, read_line, read_lines
from games.plan_language.words import SPELLINGS, Word
from tests.floors import at_least

# What somebody may type, and the line that it is.
READ = {
    "if e7-e6 then d5xe6": "if e7-e6 then d5xe6",
    "if e7-e6 then d5xe6 if e6-e5 then a1-a2": "if e7-e6 then d5xe6 if e6-e5 then a1-a2",
    "If E7-E6 Then D5xE6": "if e7-e6 then d5xe6",
    "wenn e7–e6 dann d5×e6": "if e7-e6 then d5xe6",
    "falls e7-e6, dann d5xe6": "if e7-e6 then d5xe6",
    "si e7 e6 alors d5xe6": "if e7-e6 then d5xe6",
    "si e7 à e6 alors d5 prend e6": "if e7-e6 then d5xe6",
    "wenn e7 nach e6 dann d5 schlägt e6": "if e7-e6 then d5xe6",
    "如果 e7-e6 則 d5xe6": "if e7-e6 then d5xe6",
    "如果e7-e6則d5xe6": "if e7-e6 then d5xe6",
    "如果e7-e6则d5xe6。": "if e7-e6 then d5xe6",
    "若e7到e6，那麼d5吃e6": "if e7-e6 then d5xe6",
    "如果任何則d5-d6如果靜則d6-d7": "if any then d5-d6 if quiet then d6-d7",
    "if e7→e6 then d5✕e6": "if e7-e6 then d5xe6",
    "ｉｆ ｅ７－ｅ６ ｔｈｅｎ ｄ５ｘｅ６": "if e7-e6 then d5xe6",
    "if\u00a0e7\u2011e6\u00a0then\u00a0d5xe6": "if e7-e6 then d5xe6",
    "if e7-\u200be6 then d5xe6": "if e7-e6 then d5xe6",
    "if e7e6 then d5xe6.": "if e7-e6 then d5xe6",
    "  if   e7-e6   then   d5xe6!  ": "if e7-e6 then d5xe6",
    "1. if e7-e6 then d5xe6": "if e7-e6 then d5xe6",
    "- *if e7-e6 then d5xe6*": "if e7-e6 then d5xe6",
    "“if e7-e6 then d5xe6”": "if e7-e6 then d5xe6",
    "otherwise d5-d6": "otherwise d5-d6",
    "if any then d5-d6": "otherwise d5-d6",
    "wenn beliebig dann d5-d6": "otherwise d5-d6",
    "si tout alors d5-d6": "otherwise d5-d6",
    "sonst d5-d6": "otherwise d5-d6",
    "sinon d5-d6": "otherwise d5-d6",
    "否則d5-d6": "otherwise d5-d6",
    "否则 d5-d6": "otherwise d5-d6",
    "if quiet then d5-d6": "if quiet then d5-d6",
    "wenn ruhig dann d5-d6": "if quiet then d5-d6",
    "si calme alors d5-d6": "if quiet then d5-d6",
    "如果静则d5-d6": "if quiet then d5-d6",
    "if xd4 then c4xd4": "if xd4 then c4xd4",
    "if x d4 then c4 takes d4": "if xd4 then c4xd4",
    "if × d4 then c4:d4": "if xd4 then c4xd4",
    "如果吃d4則c4吃d4": "if xd4 then c4xd4",
    "if e7xe4+ then a1-a2": "if e7xe4+ then a1-a2",
    "if e7xe4 - then a1-a2": "if e7xe4- then a1-a2",
    "if e7xe4 – then a1-a2": "if e7xe4- then a1-a2",
    "if e7xe4＝ then a1-a2": "if e7xe4= then a1-a2",
    "if e7xe4+D then a1-a2": "if e7xe4+d then a1-a2",
    "if xe4 -d then a1-a2": "if xe4-d then a1-a2",
    "if e7xe4[M] then a1-a2": "if e7xe4[M] then a1-a2",
    "if e7xe4 [ m , G ] then a1-a2": "if e7xe4[G,M] then a1-a2",
    "if e7xe4[M,M] then a1-a2": "if e7xe4[M] then a1-a2",
    "if xe4[V’,v] then a1-a2": "if xe4[V,V'] then a1-a2",
    "if xe4[I’,40] then a1-a2": "if xe4[40,I'] then a1-a2",
    "if e7-e6 then d5xe6+ if quiet then a1-a2": "if e7-e6 then d5xe6+ if quiet then a1-a2",
    "if any then d5xe6[B] if any then a1-a2": "if any then d5xe6[B] if any then a1-a2",
    "if d7-d5xe5 then d2-d5xe5": "if d7-d5xe5 then d2-d5xe5",
    "if c5xc3xe5 then a1-a2": "if c5xc3xe5 then a1-a2",
    "if c5 x c3 x e5 x g3 then a1-a2": "if c5xc3xe5xg3 then a1-a2",
    "if *d6,c4-c5 then e5xe3": "if *d6,c4-c5 then e5xe3",
    "if *d6 c4-c5 then e5xe3": "if *d6,c4-c5 then e5xe3",
    "if d6-d5 then *d5,c4-c5": "if d6-d5 then *d5,c4-c5",
    "if d6-d5 then *d5": "if d6-d5 then *d5",
    "if huff d6, c4-c5 then e5xe3": "if *d6,c4-c5 then e5xe3",
    "if j10-j9 then a1-a2": "if j10-j9 then a1-a2",
}  # fmt: skip

# What is wrong with a line, by words of the sentence that says so.
REFUSED = {
    "": "begins with “if”",
    "d5xe6": "begins with “if”",
    "then d5xe6": "begins with “if”",
    "plan": "begins with “if”",
    "ife7-e6 then d5xe6": "begins with “if”",
    "if": "Write your opponent's move after “if”",
    "if e7-e6": "goes on with “then”",
    "if e7-e6 d5xe6": "goes on with “then”",
    "if then d5xe6": "Write your opponent's move after “if”",
    "if e7-e6 then": "Write your move after “then”",
    "if e7-e6 then then d5xe6": "Write your move after “then”",
    "if e7-e6 then d5xe6 then a1-a2": "goes on with “if”",
    "if e7-e6 then d5xe6 if": "Write your opponent's move after “if”",
    "if e7-e6 then d5xe6 if e6-e5": "goes on with “then”",
    "if e7-e6 then d5xe6 otherwise a1-a2": "line of its own",
    "otherwise d5xe6 if e7-e6 then a1-a2": "one move and nothing else",
    "otherwise": "Write your move after “then”",
    "otherwise quiet": "is not a move",
    "if d2 d5 d6 then a1-a2": "Write an x",
    "if d2-d5-d6 then a1-a2": "Write an x",
    "if quiet then d2 d5 d6": "Write an x",
    "if e7 then a1-a2": "is not a move",
    "if e7-e6? then a1-a2": "is not a move",
    "if e7-e6 then maybe d5xe6": "is not a move",
    "if quiet+ then a1-a2": "cannot be a battle",
    "if any[M] then a1-a2": "cannot be a battle",
    "if e7-e6= then a1-a2": "cannot be a battle",
    "if *d6,c4-c5+ then a1-a2": "cannot be a battle",
    "if e7-e6 then a1-a2+ if any then a2-a3": "cannot be a battle",
    "if e7-e6 then d5xe6+": "only if the line goes on",
    "otherwise d5xe6[M]": "only if the line goes on",
    "if e7xe4# then a1-a2": "ends the match",
    "if e7xe4[RvM]- then a1-a2": "Write only the enemy's piece",
    "if e7xe4[VvV'] then a1-a2": "Write only the enemy's piece",
    "if e7xe4[40v66] then a1-a2": "Write only the enemy's piece",
    "if e7xe4[M]- then a1-a2": "not both",
    "if e7xe4[] then a1-a2": "a rank is missing",
    "if e7xe4[M,] then a1-a2": "a rank is missing",
    "if e7xe4[Marshal] then a1-a2": "is not a rank",
    "if e7xe4[M''] then a1-a2": "is not a rank",
    "if e7-e6 ~d6 then a1-a2": "archers' hits",
    "if *d6,c4xc5 then a1-a2": "one step",
    "if *d6,c4-c5-c6 then a1-a2": "one step",
    "if " + "x" * 300: "at most 300 characters",
    "if " + "㎯" * 200 + " then a1-a2": "at most 300 characters",
}  # fmt: skip


@pytest.mark.parametrize("typed", READ)
def test_a_line_is_read_as_people_type_it(typed: str) -> None:
    assert write_line(read_line(typed)) == READ[typed]


@pytest.mark.parametrize("typed", READ)
def test_an_email_is_read_like_the_page(typed: str) -> None:
    assert mail_line(typed) == read_line(typed)


@pytest.mark.parametrize("typed", REFUSED)
def test_a_faulty_line_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(BadLine) as refused:
        read_line(typed)
    bad = refused.value
    sentence = bad.template % bad.values
    assert REFUSED[typed] in sentence
    assert len(sentence) < 250


def test_every_word_is_read_in_every_language() -> None:
    for if_word in SPELLINGS[Word.IF].split():
        for then in SPELLINGS[Word.THEN].split():
            for word in (Word.QUIET, Word.ANY):
                for spelling in SPELLINGS[word].split():
                    line = read_line(f"{if_word} {spelling} {then} a1-a2")
                    assert line == Line((Step(Condition(word), "a1-a2"),))
    for spelling in SPELLINGS[Word.OTHERWISE].split():
        assert read_line(f"{spelling} a1-a2") == Line((Step(Condition("any"), "a1-a2"),))
    at_least(3, SPELLINGS[Word.IF].split())


# --- a whole field


def test_blank_lines_are_skipped_and_counted() -> None:
    read = read_lines("\n\nif e7-e6 then d5xe6\n \u00a0\n\rotherwise d5\nsonst a1-a2\n")
    assert [number for number, _ in read.lines] == [3, 7]
    assert [(fault.number, fault.bad.values) for fault in read.faults] == [(6, {"text": "d5"})]


def test_an_empty_field_has_no_lines_and_no_faults() -> None:
    assert read_lines("") == read_lines(" \n\n\t\n") == ((), ())


def test_a_field_has_at_most_200_lines() -> None:
    read = read_lines("if e7-e6 then d5xe6\n" * 201)
    assert len(read.lines) == 200
    assert [fault.number for fault in read.faults] == [0]
    assert not read_lines("if e7-e6 then d5xe6\n" * 200).faults


def test_at_most_twenty_faults_are_listed() -> None:
    faults = read_lines("nonsense\n" * 150).faults
    assert [fault.number for fault in faults] == [*range(1, 21), 0]
    assert faults[-1].bad.template == "Only the first %(limit)s faults are listed."
    assert read_lines("nonsense\n" * 250).faults[0].number == 0


# --- an e-mail

PROSE = (
    "if you like we can pause",
    "If you take on e4, I am lost.",
    "wenn du magst",
    "si tu veux",
    "如果你喜歡",
    "otherwise we play d5",
    "sonst alles gut",
    "if any then all of it",
    "if e7 moves then I take it",
    "ifs and buts",
    "then d5xe6",
    "d5xe6",
    "sixty x d4",
    "After e7-e6 your plan answers d5xe6.",
    "",
)
MEANT = (
    "if e7-e6 d5xe6",
    "if e7-e6 then I take",
    "wenn e7 e6 dann",
    "如果e7-e6",
    "if xd4 I take back",
    "if x d4 then nothing",
    "if *d6 then nothing",
    "otherwise d5xe6 please",
    "if e7-e6 then d5xe6?",
    "if e7-e6 then d5xe6" + " if e6-e5 then a1-a2" * 20,
)


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_line(text: str) -> None:
    assert mail_line(text) is None


@pytest.mark.parametrize("text", MEANT)
def test_a_line_that_looks_like_one_is_refused_if_faulty(text: str) -> None:
    assert isinstance(mail_line(text), BadLine)


# --- reading and writing

squares = st.builds("{}{}".format, st.sampled_from("abcdefghijkl"), st.integers(1, 12))
dashes = st.builds("{}-{}".format, squares, squares)
attacks = st.builds("{}x{}".format, squares, squares)
charges = st.builds("{}-{}x{}".format, squares, squares, squares)
chains = st.lists(squares, min_size=3, max_size=18).map("x".join)
huffs = st.one_of(st.builds("*{}".format, squares), st.builds("*{},{}".format, squares, dashes))
ranks = st.sampled_from([*"MGCJKLSERYBFVPIA", "V'", "P'", "I'", "W'", "40", "04", "66"])
seen = st.one_of(
    st.builds(Seen, sign=st.sampled_from(SIGNS)),
    st.builds(Seen, ranks=st.frozensets(ranks, min_size=1)),
)
fighting = st.one_of(attacks, charges, chains)
conditions = st.one_of(
    st.builds(Condition, st.one_of(dashes, huffs, fighting, st.sampled_from(["quiet", "any"]))),
    st.builds(Condition, st.one_of(fighting, squares.map("x{}".format)), st.none() | seen),
)
answers = st.one_of(
    st.tuples(st.one_of(dashes, huffs, fighting), st.none()), st.tuples(fighting, seen)
)
lines = st.builds(
    lambda steps, last: Line(
        (*(Step(condition, *answer) for condition, answer in steps), Step(last[0], last[1][0]))
    ),
    st.lists(st.tuples(conditions, answers), max_size=3),
    st.tuples(conditions, answers),
)


@given(lines)
def test_a_written_line_is_read_back(line: Line) -> None:
    text = write_line(line)
    if len(text) <= 300:
        assert read_line(text) == line
    else:
        with pytest.raises(BadLine):
            read_line(text)


def test_a_line_that_would_be_too_long_in_english_is_refused() -> None:
    ranks = ",".join("MGCJKLSERYBF")
    typed = "".join(f"如果e7xe4[{ranks}]則a1-a2" for _ in range(7)) + "如果靜則a1-a2"
    assert len(typed) < 300
    with pytest.raises(BadLine) as refused:
        read_line(typed)
    assert "at most" in refused.value.template


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    for each in (text, f"if {text}", f"if e7-e6 then {text}", f"如果{text}則{text}"):
        line = mail_line(each)
        try:
            assert line in (read_line(each), None)
        except BadLine as bad:
            assert bad.template % bad.values
            assert not isinstance(line, Line)


# --- secrecy and limits


def test_the_repr_of_a_line_and_a_fault_reveals_nothing() -> None:
    line = read_line("if e7xe4[M] then d5xe6+ if xd4 then a1-a2")
    with pytest.raises(BadLine) as refused:
        read_line("if e7-e6 then maybe d5xe6")
    values = [line, *line.steps, line.steps[0].condition, line.steps[0].seen, refused.value]
    text = " ".join([*map(repr, values), str(refused.value), repr(refused.value.args)])
    assert not re.search(r"e7|d5|e6|M\b|xd4|maybe", text)


def test_hostile_lines_are_refused() -> None:
    hostile = (
        "if " + "a1-" * 20_000,
        "if" * 20_000,
        "if " * 20_000,
        "如果" * 20_000,
        "if a1xa2" + "[" * 20_000,
        "if a1xa2[" + "m," * 20_000 + "]",
        " " * 40_000 + "if",
    )
    for text in hostile:
        assert not isinstance(mail_line(text), Line)
        with pytest.raises(BadLine):
            read_line(text)
