"""The word linter finds each replaced word in prose, comments, docstrings and names."""

import pytest

from tests import lint_words
from tests.lint_words import RULES, VAGUE_NAMES, Rule, complaints

FINE = (
    "A name starts with a letter, and contains letters from A to Z.",
    "A dead letter is a row that was given up.",
    "The reserve is beside the board.",
    "A piece stands on b4.",
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.example)
@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("page.md", "Fine.\n{}\n"),
        ("comment.py", "FINE = 1\n# {}\n"),
        ("docstring.py", 'def fine() -> None:\n    """{}"""\n'),
        ("name.py", "FINE = 1\ntest_{} = FINE\n"),
    ],
)
def test_each_replaced_word_is_reported_with_its_line(rule: Rule, name: str, source: str) -> None:
    text = rule.example.replace(" ", "_").replace("-", "_") if name == "name.py" else rule.example
    (complaint,) = complaints(name, source.format(text))
    assert complaint.line == 2
    assert complaint.instead == rule.instead


@pytest.mark.parametrize("name", ["found", "facts", "asked", "mine", "said"])
@pytest.mark.parametrize(
    "source",
    [
        "{} = rows.first()",
        "{}: Row | None = rows.first()",
        "row, {} = rows",
        "for {} in rows: pass",
        "use([{} for {} in rows][0])",
        "if {} := rows.first(): pass",
        "with rows as {}: pass",
        "def use({}): pass",
        "def use(**{}): pass",
        "use(lambda {}: rows)",
        "try: pass\nexcept ValueError as {}: pass",
    ],
)
def test_a_vague_name_is_reported(name: str, source: str) -> None:
    program = source.replace("{}", name)
    for file in ("games/rows.py", "tests/test_rows.py"):
        (complaint,) = complaints(file, program)
        assert (complaint.word, complaint.instead) == (name, VAGUE_NAMES.instead)


def test_the_example_of_vague_names_is_reported() -> None:
    assert [each.word for each in complaints("rows.py", VAGUE_NAMES.example)] == ["found"]


def test_attributes_and_keywords_of_the_same_word_are_not_flagged() -> None:
    assert list(complaints("rows.py", "row = use(found=rows.found, said=rows)")) == []


@pytest.mark.parametrize("sentence", FINE)
def test_other_senses_of_these_words_are_not_flagged(sentence: str) -> None:
    assert not list(complaints("page.md", sentence))


def test_texts_of_the_site_are_not_read() -> None:
    assert not list(complaints("views.py", 'message = _("Players are told.")\n'))


def test_the_clean_folders_exist_and_have_many_files() -> None:
    files = lint_words.files(lint_words.CLEAN)
    assert len(files) > 130
    assert {folder for folder in lint_words.CLEAN if not lint_words.files([folder])} == set()
