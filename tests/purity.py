"""Purity of what chooses moves: which imports and names its modules may use, read off their text.

The contracts in pyproject.toml list what is forbidden, and a module that nobody thought of is in no
such list. Here only what is named is allowed.
"""

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from tests.pure_names import BUILTINS, GIVEN, OURS, ROOMS, SEATED, STANDARD

ROOT = Path(__file__).parents[1]

# From a frame or a traceback there is a way to the names of any module.
FRAMES = ("ag_", "co_", "cr_", "f_", "gi_", "tb_")
# Public, whatever they look like, and a name as text.
UNDERSCORED = {"_asdict", "_fields", "_replace", "__name__", "__init__"}
# The order of a set is that of its hashes; these tell of it.
ORDERING = {"enumerate", "iter", "list", "map", "filter", "reversed", "tuple", "zip"}
SETS = {"set", "frozenset"}

Parents = dict[ast.AST, ast.AST]


def watched() -> list[Path]:
    """The modules that choose moves and set-ups, and what stands between them and a line."""
    seated = sorted(map(_file, SEATED))
    rooms = [ROOT / "games/bots/brains", ROOT / "games/deployments"]
    return seated + sorted(file for room in rooms for file in room.rglob("*.py"))


def impurities(source: str) -> Iterator[str]:
    """What a module uses that it may not, each in a few words."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    modules: dict[str, str] = {}
    chances = {"Random"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"import {name.name}" for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _taken(node, modules, chances)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield from _named(node, parents, modules, chances)
        elif isinstance(node, ast.Attribute):
            yield from _reached(node, parents[node])
        elif isinstance(node, ast.MatchClass):
            yield from (f"case {name}" for name in node.kwd_attrs if name.startswith("__"))
        yield from _ordered_by_hash(node, parents)


def _taken(node: ast.ImportFrom, modules: dict[str, str], chances: set[str]) -> Iterator[str]:
    """Imported names that are not for them; which of the others are modules is noted."""
    source = "." * node.level + (node.module or "")
    for name in node.names:
        whole = f"{source}.{name.name}"
        if _is_allowed(whole):
            modules[name.asname or name.name] = whole
        elif name.name not in names_of(source):
            yield f"from {source} import {name.name}"
        elif whole == "random.Random":
            chances.add(name.asname or name.name)


def _is_allowed(module: str) -> bool:
    """Whether it is a module of ours that they may use."""
    of_a_room = module.startswith(tuple(f"{room}." for room in ROOMS)) and _file(module).is_file()
    return module in OURS or of_a_room


def names_of(module: str) -> set[str]:
    """The names that may be taken from a module: its own, and nothing that it borrowed itself."""
    if module in GIVEN:
        return GIVEN[module]
    return _defined(module) if _is_allowed(module) else STANDARD.get(module, set())


def _file(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".py")


@lru_cache(maxsize=256)
def _defined(module: str) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(_file(module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [name for target in targets for name in ast.walk(target)]
            found |= {name.id for name in names if isinstance(name, ast.Name)}
    return found


def _named(
    node: ast.Name, parents: Parents, modules: dict[str, str], chances: set[str]
) -> Iterator[str]:
    """A name that is used where it may not be."""
    name, parent = node.id, parents[node]
    if name in modules:
        taken = parent.attr if isinstance(parent, ast.Attribute) else ""
        if taken not in names_of(modules[name]):
            yield f"{name}.{taken}" if taken else f"{name} as a value"
    elif name == "id":
        # As a key it says nothing but which of two objects is meant.
        if not (isinstance(parent, ast.Call) and _is_a_key(parent, parents)):
            yield "id"
    elif name == "type":
        if isinstance(parent, ast.Call) and parent.func is node and len(parent.args) != 1:
            yield "type that makes a class"
    elif name in chances:
        if not _is_a_type(node, parents) and not _is_seeded(node, parent):
            yield f"{name} without a seed"
    elif name.startswith("__") or (name in vars(builtins) and name not in BUILTINS):
        yield name


def _is_a_key(call: ast.Call, parents: Parents) -> bool:
    parent = parents[call]
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute):
        return parent.func.attr == "get" and parent.args[0] is call
    return isinstance(parent, ast.Subscript) and parent.slice is call


def _is_a_type(node: ast.AST, parents: Parents) -> bool:
    """Whether it stands in an annotation, or between the brackets of a type."""
    while parent := parents.get(node):
        if isinstance(parent, ast.Subscript) and parent.slice is node:
            return True
        if node in (getattr(parent, "annotation", None), getattr(parent, "returns", None)):
            return True
        node = parent
    return False


def _is_seeded(node: ast.Name, parent: ast.AST) -> bool:
    if not isinstance(parent, ast.Call) or parent.func is not node or len(parent.args) != 1:
        return False
    seed = parent.args[0]
    return not isinstance(seed, ast.Starred | ast.Constant) or (
        isinstance(seed, ast.Constant) and seed.value is not None
    )


def _reached(node: ast.Attribute, parent: ast.AST) -> Iterator[str]:
    """An attribute that leads behind the object that it belongs to."""
    own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    hidden = node.attr.startswith("__") or (node.attr.startswith("_") and not own)
    if (hidden and node.attr not in UNDERSCORED) or node.attr.startswith(FRAMES):
        yield f".{node.attr}"
    elif node.attr == "seed" and isinstance(parent, ast.Call) and parent.func is node:
        yield f".{node.attr} of a source of chance"


def _ordered_by_hash(node: ast.AST, parents: Parents) -> Iterator[str]:
    """What goes through a set one by one."""
    through: list[ast.AST] = []
    if isinstance(node, ast.For | ast.comprehension):
        through = [node.iter]
    elif isinstance(node, ast.Starred) and not isinstance(parents[node], ast.Set):
        through = [node.value]
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        through = [*node.args] if name in {*ORDERING, "join", "choice", "sample"} else []
    for each in through:
        made = each.func if isinstance(each, ast.Call) else None
        if isinstance(each, ast.Set | ast.SetComp) or (
            isinstance(made, ast.Name) and made.id in SETS
        ):
            yield "the order of a set"
