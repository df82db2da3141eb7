"""No module names a game except its own and its presentation, so a new game needs no edit."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings

from games.rules import registry
from tests.floors import at_least

ROOT = Path(settings.BASE_DIR)
KEYS = {*registry.games, *(rules.key for rules in registry.editions())}
# A game is written in its own module, its look and its words in its presentation, and its lessons
# in a module of theirs.
OWN_PLACES = ("games/rules/systems/", "games/presentation/", "games/guide/lessons/")
# These show or make a chosen few matches and ask nothing of a game's name.
CHOSEN = {
    "accounts/sign_in/password_words.py": "words that are easy to guess in a password",
    "config/management/commands/demo.py": "the matches of the demo",
    "config/demo/company.py": "the competitions of the demo",
    "config/demo/matches.py": "the match against the computer in the demo",
    "config/demo/season.py": "the rated matches of the demo",
    "games/api/schemas/inviting.py": "an example in the document of the API",
    "games/api/schemas/presets.py": "an example in the document of the API",
    "games/play/lists/overview.py": "the board of the welcome page",
}
# It is handed to players and imports nothing, so it cannot ask the rules what a game hides.
STANDALONE = {"games/rules/proof/verify.py"}


def named(source: str) -> set[str]:
    """The games and editions that are a text of their own in a module, or one of a pattern's."""
    if not any(key in source for key in KEYS):
        return set()
    texts = (
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {
        word
        for text in texts
        for word in (re.findall("[a-z-]+", text) if "|" in text else [text])
        if word in KEYS
    }


MODULES = {
    str(path.relative_to(ROOT)): path
    for package in ("games", "config", "accounts", "lib")
    for path in at_least(5, sorted((ROOT / package).rglob("*.py")))
}


def test_modules_outside_a_game_do_not_name_it() -> None:
    naming = {
        module: named_games
        for module, path in MODULES.items()
        if not module.startswith(OWN_PLACES)
        and (named_games := named(path.read_text(encoding="utf-8")))
    }
    assert set(naming) == set(CHOSEN) | STANDALONE, naming


def test_a_chosen_name_is_compared_with_nothing() -> None:
    for module in CHOSEN:
        tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
        assert named(ast.unparse(tree)), module
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare | ast.match_case | ast.Dict):
                assert not named(ast.unparse(node)), module


@pytest.mark.parametrize(
    "source",
    [
        'if rules.family == "domino": pass',
        'WORDS = {"assaut": "points"}',
        'names = ["tactique-step"]',
        'match key:\n    case "lattaque-en": pass',
        'GAME = "(?:domino|assaut)[a-z-]*"',
    ],
)
def test_a_module_that_names_a_game_is_detected(source: str) -> None:
    assert named(source)


def test_scripts_name_no_game() -> None:
    for script in at_least(5, (ROOT / "static/js").glob("*.js")):
        code = re.sub(r"//[^\n]*", "", script.read_text(encoding="utf-8"))
        assert not [key for key in registry.games if key in code], script.name


def test_templates_of_the_site_test_for_no_game() -> None:
    for template in at_least(50, (ROOT / "templates").rglob("*.html")):
        tags = re.findall(r"{%\s*(?:if|elif|ifequal)\b.*?%}", template.read_text(encoding="utf-8"))
        assert not [tag for tag in tags if any(f'"{key}"' in tag for key in KEYS)], template.name
