"""Every regular expression of the service: found in its source, with the ways in which it is used.

A pattern is taken from the module that compiles it, or compiled from the arguments that stand in
the source. Where a function makes those up, the test brings examples.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from re import Pattern
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = ("accounts", "config", "games", "lib")

# Methods of a pattern and functions of `re`, as the machine calls them (tests/patterns/machine.py).
METHODS = {
    "match": "match",
    "fullmatch": "fullmatch",
    "search": "search",
    "finditer": "finditer",
    "findall": "finditer",
    "split": "finditer",
    "sub": "finditer",
    "subn": "finditer",
}
FROM_A_PLACE = {"match": "follow", "search": "finditer"}  # where they are given one to begin at
ONCE = {"count", "maxsplit"}  # arguments that make a search of a replacement
UNKNOWN_USE = frozenset(("finditer", "fullmatch"))  # between them, the most expensive
# The place of the flags in `re.search(pattern, text, flags)` and the like.
FLAGS_ARGUMENT = {"compile": 1, "split": 3, "sub": 4, "subn": 4}
# Other ways to make a regular expression, which are not searched here.
FOREIGN = {"re_path", "RegexValidator", "RegexField", "regex", "sre_compile"}

Uses = set[str]
Examples = Mapping[str, Iterable[tuple[Pattern[Any], Uses]]]


@dataclass
class FoundPattern:
    """A pattern, its place in the source, and its uses as methods of the machine."""

    pattern: Pattern[Any]
    where: str
    uses: Uses


@dataclass
class Collection:
    """All patterns, the places in the source of which there is none, and the examples used."""

    patterns: list[FoundPattern] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    scopes: set[str] = field(default_factory=set)


class Module:
    """A module of the service: its source as a tree, and what it contains once it is imported."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path, self.file = path, path.relative_to(root)
        self.name = ".".join(self.file.with_suffix("").parts).removesuffix(".__init__")
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = [self.tree]  # those of ast.walk, which is slower
        for node in self.nodes:
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
                self.nodes.append(child)

    @cached_property
    def names(self) -> dict[str, Any]:
        return vars(import_module(self.name))

    @cached_property
    def imports_re(self) -> bool:
        return any(
            isinstance(node, ast.Import) and any(name.name == "re" for name in node.names)
            for node in self.nodes
        )

    def made_by(self, function: str) -> Iterator[str]:
        """The names of what the module makes with one of its functions as it is imported."""
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
                if any(ast.unparse(call.func) == function for call in calls):
                    yield statement.targets[0].id

    def place(self, node: ast.stmt | ast.expr) -> str:
        return f"{self.file}:{node.lineno}"

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, from the inside out."""
        while parent := self.parents.get(node):
            node = parent
            yield node

    def scope(self, node: ast.AST) -> str:
        """The module, and the functions and classes that a node stands in."""
        names = [
            outer.name
            for outer in self.around(node)
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        ]
        return ":".join([self.name, ".".join(reversed(names))]).removesuffix(":")


def collect(
    examples: Examples, root: Path = ROOT, packages: Iterable[str] = PACKAGES
) -> Collection:
    """Every pattern; `examples` has patterns of functions that make them up, by their scope."""
    modules = [
        Module(path, root)
        for package in packages
        for path in sorted((root / package).rglob("*.py"))
        if "migrations" not in path.parts
    ]
    uses = _uses(modules)
    collection = Collection()
    for module in modules:
        _collect(module, uses, examples, collection)
    return collection


def _collect(
    module: Module, uses: Mapping[str, Uses], examples: Examples, collection: Collection
) -> None:
    for node in module.nodes:
        if isinstance(node, ast.stmt | ast.expr) and _is_foreign(node):
            collection.missing.append(module.place(node))
        elif isinstance(node, ast.Call) and (function := _function_of_re(node)):
            patterns = list(_patterns_of(module, node, function, uses, examples))
            collection.patterns += patterns
            collection.scopes.add(module.scope(node))
            if not patterns:
                collection.missing.append(module.place(node))
        elif isinstance(node, ast.ClassDef):
            collection.patterns += _of_converter(module, node)
    if module.imports_re:
        known = {patterns.pattern for patterns in collection.patterns}
        for name in module.names:
            for one in _of_name(module, name, uses, f"{module.name}.{name}"):
                if one.pattern not in known:
                    collection.patterns.append(one)


def _is_foreign(node: ast.AST) -> bool:
    """Whether it makes or imports a regular expression in another way."""
    if isinstance(node, ast.Import):
        return any(
            name.name in FOREIGN or (name.name == "re" and name.asname) for name in node.names
        )
    if isinstance(node, ast.ImportFrom):
        return node.module == "re" or any(name.name in FOREIGN for name in node.names)
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") in FOREIGN


def _function_of_re(call: ast.Call) -> str:
    """The function of `re` that is called with a pattern, "" if it is something else."""
    function = call.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return ""
    is_one = function.value.id == "re" and function.attr in {"compile", *METHODS}
    return function.attr if is_one else ""


def _patterns_of(
    module: Module,
    call: ast.Call,
    function: str,
    uses: Mapping[str, Uses],
    examples: Examples,
) -> Iterator[FoundPattern]:
    where, scope, target = module.place(call), module.scope(call), _target(module, call)
    inline = _use(call, function) if function in METHODS else None
    known = {inline} if inline else uses.get(f"{module.name}.{target}", set(UNKNOWN_USE))
    if scope in examples:
        for pattern, texts in examples[scope]:
            yield FoundPattern(pattern, where, {inline} if inline else texts)
    elif pattern := _compiled(module, call, function):
        yield FoundPattern(pattern, where, known)
    else:
        maker = scope.removeprefix(f"{module.name}:")
        for name in [target] if target else module.made_by(maker):
            yield from _of_name(module, name, uses, where)


def _of_name(
    module: Module, name: str, uses: Mapping[str, Uses], where: str
) -> Iterator[FoundPattern]:
    """The patterns in what a module calls by a name."""
    value = module.names[name]
    known = uses.get(f"{module.name}.{name}") if isinstance(value, Pattern) else None
    for pattern in _reachable(value):
        yield FoundPattern(pattern, where, known or set(UNKNOWN_USE))


def _compiled(module: Module, call: ast.Call, function: str) -> Pattern[Any] | None:
    """The pattern of a call whose arguments have their values from the module."""
    flags = next((word.value for word in call.keywords if word.arg == "flags"), None)
    place = FLAGS_ARGUMENT.get(function, 2)
    arguments = [call.args[0], *([flags] if flags else call.args[place : place + 1])]
    named = {node.id for each in arguments for node in ast.walk(each) if isinstance(node, ast.Name)}
    if named & _local_names(module, call):
        return None
    whole = ast.Call(ast.parse("re.compile", mode="eval").body, arguments, [])
    source = ast.fix_missing_locations(ast.Expression(whole))
    pattern = eval(compile(source, str(module.path), "eval"), dict(module.names))
    return pattern if isinstance(pattern, Pattern) else None


def _local_names(module: Module, node: ast.AST) -> set[str]:
    """Names that functions, classes and comprehensions around a node give to values."""
    names: set[str] = set()
    for outer in module.around(node):
        if isinstance(outer, ast.Module):
            break
        for inner in ast.walk(outer):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                names.add(inner.id)
            elif isinstance(inner, ast.arg):
                names.add(inner.arg)
    return names - {_target(module, node)}


def _target(module: Module, node: ast.AST) -> str:
    """The name that a statement of the module gives to the value that a node is part of."""
    chain = [node, *module.around(node)]
    statement = chain[-2]
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _of_converter(module: Module, node: ast.ClassDef) -> Iterator[FoundPattern]:
    """The pattern of a path converter, which Django puts into that of an address."""
    for statement in node.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "regex":
            pattern = re.compile(module.names[node.name].regex)
            yield FoundPattern(pattern, module.place(statement.value), {"match", "fullmatch"})


def _reachable(value: Any) -> Iterator[Pattern[Any]]:
    """The patterns in a value: itself, or what containers and dataclasses hold."""
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _reachable(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _reachable(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _reachable(getattr(value, one.name, None))


# --- uses


def _uses(modules: Iterable[Module]) -> dict[str, Uses]:
    """How each name of a module is used as a pattern, in all modules: by "module.NAME"."""
    uses: dict[str, Uses] = defaultdict(set)
    names = {module.name for module in modules}
    for module in modules:
        imported = _imported(module)
        for node in module.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                whole = imported.get(node.id, f"{module.name}.{node.id}")
                if whole not in names:
                    uses[whole] |= _uses_at(module, node)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = imported.get(node.value.id)
                if owner in names:
                    uses[f"{owner}.{node.attr}"] |= _uses_at(module, node)
    return uses


def _imported(module: Module) -> dict[str, str]:
    return {
        name.asname or name.name: f"{node.module}.{name.name}"
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }


def _uses_at(module: Module, node: ast.expr) -> Uses:
    """What is done at one place with what may be a pattern."""
    parent = module.parents[node]
    if isinstance(parent, ast.IfExp) and node is not parent.test:
        return _uses_at(module, parent)
    if not isinstance(parent, ast.Attribute):
        return set(UNKNOWN_USE)
    if parent.attr == "pattern":
        return set()  # It becomes a part of another.
    if parent.attr not in METHODS:
        return set(UNKNOWN_USE)
    call = module.parents[parent]
    if isinstance(call, ast.Call) and call.func is parent:
        if parent.attr in FROM_A_PLACE and len(call.args) > 1:
            return {FROM_A_PLACE[parent.attr]}
        return {_use(call, parent.attr)}
    return {METHODS[parent.attr]}


def _use(call: ast.Call, method: str) -> str:
    """The machine's method for a call; what is replaced or split once is searched for once."""
    once = [word for word in call.keywords if word.arg in ONCE]
    if once and isinstance(once[0].value, ast.Constant) and once[0].value.value == 1:
        return "search"
    return METHODS[method]
