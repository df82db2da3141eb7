"""Editions and options: their values, their canonical form, and refusals of unknown ones."""

import pytest

from games.rules.core.basics.options import Number
from games.rules.core.basics.refusals import UnknownRuleset
from games.rules.registry import canonical_edition, editions, ruleset
from tests.floors import at_least
from tests.rules.shortcuts import rules_of


def test_options_have_their_defaults() -> None:
    assert dict(rules_of("lattaque-en").options) == {
        "limit": 200,
        "two_square": 0,
        "faceup": False,
        "winner": "advance",
        "spy_both": False,
        "scout_long_attack": True,
        "scout_return": False,
        "no_back": "",
        "board": "10x10",
    }
    assert dict(rules_of("tactique").options) == {
        "limit": 200,
        "two_square": 2,
        "move": "long",
        "charge": "any",
        "convert": False,
        "volley": "own",
        "volley_first": True,
        "archer_los": False,
        "multi_hit": "each",
        "volley_flag": False,
        "d1_takes_archer": True,
    }
    assert dict(rules_of("assaut").options) == {
        "soldiers": "shortest",
        "capture": "huff",
        "block": "lose",
        "limit": 100,
    }
    assert dict(rules_of("domino").options) == {
        "limit": 200,
        "two_square": 0,
        "winner": "advance",
    }


DIFFERENCES = {
    "lattaque-en-forward": {"no_back": "MGCJKLSERY"},
    "lattaque-zh": {"faceup": True},
    "lattaque-zh-return": {"faceup": True, "winner": "return"},
    "lattaque-gibson": {"board": "9x10", "scout_return": True},
    "lattaque-en-isf2sq": {"two_square": 5},
    "lattaque-en-shortscout": {"scout_long_attack": False},
    "lattaque-zh-spyboth": {"faceup": True, "spy_both": True},
    "domino-return": {"winner": "return"},
    "tactique-step": {"move": "step"},
    "tactique-convert": {"convert": True},
    "tactique-step-convert": {"move": "step", "convert": True},
    "tactique-straight": {"charge": "straight"},
    "tactique-volley-all": {"volley": "all"},
    "assaut-noblock": {"block": "win"},
    "assaut-free": {"soldiers": "free"},
    "assaut-free-noblock": {"soldiers": "free", "block": "win"},
    "assaut-compulsory": {"capture": "compulsory"},
    "assaut-german": {"soldiers": "german"},
}
BASES = {"lattaque": "lattaque-en", "domino": "domino", "tactique": "tactique", "assaut": "assaut"}


@pytest.mark.parametrize("key", [rules.key for rules in editions()])
def test_an_edition_differs_from_the_first_as_the_rules_say(key: str) -> None:
    rules = ruleset(key)
    base = ruleset(BASES[rules.family])
    differing = {
        name: value for name, value in rules.options.items() if base.options[name] != value
    }
    assert differing == DIFFERENCES.get(key, {})


@pytest.mark.parametrize(
    ("key", "options", "words"),
    [
        ("chess", {}, "There are no rules called chess; there are "),
        ("domino", {"faceup": True}, "Domino Stratego has no rule option faceup; it has limit, "),
        (
            "lattaque-en",
            {"faceup": 1},
            "The rule option faceup has no value 1; it takes false, true.",
        ),
        (
            "lattaque-en",
            {"faceup": "yes"},
            "The rule option faceup has no value yes; it takes false, true.",
        ),
        (
            "lattaque-en",
            {"two_square": True},
            "The rule option two_square is a whole number from 0 to 100.",
        ),
        ("lattaque-en", {"limit": 0}, "The rule option limit is a whole number from 1 to 10000."),
        (
            "lattaque-en",
            {"limit": 10**30},
            "The rule option limit is a whole number from 1 to 10000.",
        ),
        (
            "lattaque-en",
            {"no_back": "MB"},
            "The rule option no_back takes letters out of MGCJKLSERY.",
        ),
        (
            "lattaque-en",
            {"no_back": None},
            "The rule option no_back takes letters out of MGCJKLSERY.",
        ),
        ("tactique", {"move": []}, "The rule option move has no value ?; it takes long, step."),
    ],
)
def test_unknown_editions_and_options_are_named(
    key: str, options: dict[str, object], words: str
) -> None:
    with pytest.raises(UnknownRuleset) as caught:
        ruleset(key, options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(words)
    assert str(caught.value).endswith(".")
    assert isinstance(caught.value, ValueError)


def test_every_edition_has_its_own_sentence() -> None:
    abouts = [rules.about for rules in at_least(22, editions())]
    assert all(words.endswith(".") for words in abouts)
    assert len(set(abouts)) == len(abouts)


@pytest.mark.parametrize("key", BASES.values())
def test_every_option_has_a_label_and_a_sentence(key: str) -> None:
    for spec in at_least(1, ruleset(key).option_specs):
        assert spec.title and not spec.title.endswith("."), spec.name
        assert spec.about.endswith("."), spec.name


@pytest.mark.parametrize("key", BASES.values())
def test_the_offered_range_of_a_number_is_playable_and_contains_the_default(key: str) -> None:
    numbers = [spec for spec in ruleset(key).option_specs if isinstance(spec, Number)]
    for spec in at_least(1, numbers):
        least, most = spec.offered
        assert least <= most and [spec.admit(end) for end in (least, most)] == [least, most]
        assert all(least <= int(value) <= most for value, _ in at_least(1, spec.choices))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("faceup", False, "After a battle the survivor is hidden again."),
        (
            "two_square",
            5,
            "A piece may not move between the same two squares a sixth time in a row.",
        ),
        (
            "two_square",
            7,
            "Moves in a row that a piece may make between the same two squares: 7.",
        ),
        ("limit", 60, "After 60 turns in a row without a battle the game is a draw."),
        ("no_back", "", "Every mobile piece can move backwards."),
        ("no_back", "MR", "These pieces may not move or attack backward: M, R."),
    ],
)
def test_an_option_explains_the_rules_at_any_value(
    name: str, value: bool | int | str, words: str
) -> None:
    spec = next(spec for spec in rules_of("lattaque-en").option_specs if spec.name == name)
    assert str(spec.say(value)) == words


@pytest.mark.parametrize(
    ("key", "options", "canonical"),
    [
        ("lattaque-en", {}, ("lattaque-en", {})),
        ("lattaque-en", {"faceup": False, "limit": 200}, ("lattaque-en", {})),
        ("lattaque-en", {"faceup": True}, ("lattaque-zh", {})),
        ("lattaque-zh", {"faceup": False}, ("lattaque-en", {})),
        (
            "lattaque-en",
            {"faceup": True, "spy_both": False, "winner": "return"},
            ("lattaque-zh-return", {}),
        ),
        ("lattaque-zh", {"faceup": True, "limit": 90}, ("lattaque-zh", {"limit": 90})),
        ("lattaque-en", {"no_back": "RM"}, ("lattaque-en", {"no_back": "MR"})),
        ("tactique-step", {"convert": True}, ("tactique-step-convert", {})),
    ],
)
def test_rules_have_one_shortest_name(
    key: str, options: dict[str, object], canonical: tuple[str, dict[str, object]]
) -> None:
    assert canonical_edition(key, options) == canonical  # type: ignore[arg-type]


def test_an_edition_with_its_own_options_spelled_out_is_itself() -> None:
    assert ruleset("lattaque-zh", {"faceup": True}) is ruleset("lattaque-zh")
    assert ruleset("lattaque-en", {"faceup": True}).key == "lattaque-en"
