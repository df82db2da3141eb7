"""What brains, set-ups and the player may use: modules, their names, and builtins (purity.py)."""

STANDARD = {
    "bisect": {"bisect_left", "bisect_right", "insort"},
    "collections": {"Counter", "defaultdict", "deque"},
    "collections.abc": {
        *("Callable", "Collection", "Iterable", "Iterator", "Mapping", "Sequence", "Set"),
    },
    "dataclasses": {"dataclass", "field", "replace"},
    "enum": {"Enum", "IntEnum"},
    "functools": {"cache", "cached_property", "lru_cache", "partial", "reduce"},
    "heapq": {"heapify", "heappop", "heappush"},
    "itertools": {
        *("accumulate", "chain", "combinations", "count", "groupby", "islice", "pairwise"),
        *("permutations", "product", "repeat", "takewhile", "zip_longest"),
    },
    "math": {"ceil", "comb", "exp", "floor", "fsum", "hypot", "inf", "log", "log2", "prod", "sqrt"},
    "random": {"Random"},
    "typing": {
        *("Any", "ClassVar", "Final", "Literal", "NamedTuple", "Protocol", "Self", "TypeAlias"),
        *("TypeVar", "cast"),
    },
}
# Of the rules what knows no truth: neither the engine nor records, simulation and the referee.
OF_THE_CORE = (
    *("board", "clashes", "evidence", "following", "imagine", "moves", "notation", "observation"),
    *("pieces", "position", "row_text", "ruleset", "sentence", "viewpoint"),
)
SEATED = {f"games.bots.{name}" for name in ("levels", "lines", "player", "registry")}
OURS = {"games.rules.registry", *(f"games.rules.core.{name}" for name in OF_THE_CORE), *SEATED}
# Rooms of which every module is allowed.
ROOMS = ("games.rules.systems", "games.bots.brains", "games.deployments")
# Of the positions only the names of their phases.
GIVEN = {"games.rules.core.position": {"Phase"}}

# Of what Python has without an import: values, their types, and what goes through them.
BUILTINS = {
    *("bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set"),
    *("slice", "str", "tuple", "type", "False", "None", "True", "NotImplemented"),
    *("abs", "all", "any", "divmod", "enumerate", "filter", "isinstance", "issubclass", "iter"),
    *("len", "map", "max", "min", "next", "pow", "range", "reversed", "round", "sorted"),
    *("sum", "zip", "ord", "chr", "classmethod", "property", "staticmethod", "super"),
    *("ArithmeticError", "AssertionError", "Exception", "IndexError", "KeyError", "LookupError"),
    *("NotImplementedError", "StopIteration", "TypeError", "ValueError"),
}
