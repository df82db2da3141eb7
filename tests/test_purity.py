"""What chooses moves can open no file and no connection, has no clock, and draws from a seed alone.

Nothing of it is run here: the text of each module is read, and only what is named is allowed.
"""

from pathlib import Path

import pytest

from tests.pure_names import SEATED
from tests.purity import ROOT, impurities, watched


@pytest.mark.parametrize("file", watched(), ids=lambda file: str(file.relative_to(ROOT)))
def test_it_uses_nothing_but_what_is_allowed(file: Path) -> None:
    assert list(impurities(file.read_text(encoding="utf-8"))) == []


def test_every_brain_every_set_up_and_the_player_are_watched() -> None:
    names = {str(file.relative_to(ROOT)) for file in watched()}
    assert {"games/bots/brains/assaut/search.py", "games/deployments/domino.py"} <= names
    assert {module.replace(".", "/") + ".py" for module in SEATED} <= names
    assert len(names) > 30


FILES_AND_NETWORK = [
    *("urllib.request", "http.client", "asyncio", "importlib", "ctypes", "sqlite3", "tempfile"),
    *("shutil", "codecs", "posix", "sys", "os", "io", "pathlib", "socket", "subprocess", "mmap"),
    *("time", "datetime", "builtins", "pickle", "inspect", "gc", "secrets", "random", "operator"),
]


@pytest.mark.parametrize("module", FILES_AND_NETWORK)
def test_a_planted_import_is_refused_however_it_is_written(module: str) -> None:
    assert list(impurities(f"import {module}")) == [f"import {module}"]
    assert list(impurities(f"import {module} as collections")) == [f"import {module}"]
    assert list(impurities(f"from {module} import *")) == [f"from {module} import *"]
    assert list(impurities(f"def late():\n    from {module} import x")) == [
        f"from {module} import x"
    ]


@pytest.mark.parametrize(
    "planted",
    [
        "from random import SystemRandom",
        "from typing import sys",
        "from dataclasses import sys",
        "from games.bots.lines import Position",
        "from games.bots.lines import registry",
        "from games.bots.player import deploy",
        "from games.bots.arena.match import Referee",
        "from games.bots.brains.hidden import Move",
        "from games.deployments import patterns_of_theirs",
        "from games.house import thinking",
        "from games.play.record.match_view import view_match",
        "from games.presentation import registry",
        "from games.rules import referee",
        "from games.rules.core import engine",
        "from games.rules.core.engine import advance",
        "from games.rules.core.imagine import Position",
        "from games.rules.core.notation import Position",
        "from games.rules.core.notation import check_turn",
        "from games.rules.core.notation import re",
        "from games.rules.core.position import Position",
        "from games.rules.core.record import Record",
        "from games.rules.simulation import random_opening",
        "from games.sandbox.child import Child",
        "from . import hidden",
        "from .hidden import HiddenBrain",
    ],
)
def test_a_name_that_is_not_theirs_to_take_is_refused(planted: str) -> None:
    assert list(impurities(planted)) == [planted]


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("open('/etc/hostname')", "open"),
        ("read = open", "open"),
        ("list(map(open, names))", "open"),
        ("eval('1')", "eval"),
        ("exec('import os')", "exec"),
        ("compile('1', '', 'eval')", "compile"),
        ("__import__('os')", "__import__"),
        ("__builtins__['open']", "__builtins__"),
        ("__loader__", "__loader__"),
        ("globals()['open']", "globals"),
        ("locals()", "locals"),
        ("vars(self)", "vars"),
        ("dir(self)", "dir"),
        ("getattr(self, 'o' + 'pen')", "getattr"),
        ("setattr(self, 'x', 1)", "setattr"),
        ("print('seen')", "print"),
        ("input()", "input"),
        ("breakpoint()", "breakpoint"),
        ("().__class__", ".__class__"),
        ("choose.__globals__", ".__globals__"),
        ("type('X', (), {})", "type that makes a class"),
        ("(one for one in ()).gi_frame", ".gi_frame"),
        ("error.tb_frame", ".tb_frame"),
        ("brain._kept", "._kept"),
        ("match self:\n    case object(__class__=kind): pass", "case __class__"),
        ("from games.rules import registry\nregistry.Position", "registry.Position"),
        ("from games.rules import registry as r\nr.check", "r.check"),
        ("from games.rules import registry\nother = registry", "registry as a value"),
        ("from games.bots.brains.known import domino\ndomino.Random", "domino.Random"),
    ],
)
def test_a_way_round_the_imports_is_refused(planted: str, found: str) -> None:
    assert list(impurities(planted)) == [found]


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("from random import Random\nRandom()", "Random without a seed"),
        ("from random import Random\nRandom(None)", "Random without a seed"),
        ("from random import Random\nRandom(*seeds)", "Random without a seed"),
        ("from random import Random as Dice\nDice()", "Dice without a seed"),
        ("from random import Random\nfactory = Random", "Random without a seed"),
        ("rng.seed()", ".seed of a source of chance"),
        ("hash(move)", "hash"),
        ("sorted(moves, key=id)", "id"),
        ("sorted(moves, key=lambda one: id(one))", "id"),
        ("for rank in {'spy', 'scout'}: pass", "the order of a set"),
        ("[text for text in set(moves)]", "the order of a set"),
        ("rng.choice(list(set(moves)))", "the order of a set"),
        ("','.join({text for text in moves})", "the order of a set"),
        ("(*frozenset(moves),)", "the order of a set"),
    ],
)
def test_chance_that_a_seed_does_not_decide_is_refused(planted: str, found: str) -> None:
    assert list(impurities(planted)) == [found]


def test_what_they_need_is_allowed() -> None:
    innocent = """
from collections.abc import Callable
from random import Random
from games.bots.brains.known import domino
from games.rules import registry
from games.rules.core.position import Phase

Choose = Callable[[Random], str]

def choose(rng: Random, seed: int) -> str:
    rules = registry.ruleset(domino.HABITS.family)
    first = Random(f"{seed}/{Phase.PLAY}").choice(sorted({"a", "b"}))
    faced: dict[int, str] = {}
    faced[id(rules)] = first
    return faced.get(id(rules), type(rules).__name__)
"""
    assert list(impurities(innocent)) == []
