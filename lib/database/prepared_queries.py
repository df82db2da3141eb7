"""Prepared queries: the ORM compiles a query to SQL once, then the SQL runs with new parameters.

For the small queries of every page, the ORM needs far more time to build the SQL than the database
needs to run it. CPU time per query with the ORM and prepared, on SQLite, best of nine rounds on two
cores: match and players 5,334 and 166 microseconds, plies 543 and 74, draft 391 and 39, a session
and its user 1,206 and 96, matches waiting 712 and 48, challenges 541 and 58. To measure again:
`python -m tests.bench.prepared_queries`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from inspect import signature
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

Row = tuple[Any, ...]
# During compilation, numbers from here on, and instants so many seconds later, mark parameters.
FIRST_PLACEHOLDER = 2_000_000_000
FIRST_INSTANT = datetime(9000, 1, 1, tzinfo=UTC)
WORD = re.compile("[a-z-]+", re.ASCII)


class CompiledQuery(NamedTuple):
    """The SQL of a query, and how to fill in parameters and convert the columns."""

    sql: str  # with simple constants as literals
    arguments: tuple[Any, ...]  # other constants, None in place of parameters
    names: tuple[tuple[int, str], ...]  # of the parameters, with their index in `arguments`
    converters: tuple[tuple[int, Any, list[Callable[..., Any]]], ...]  # by column


class PreparedQuery:
    """Decorator for a function that returns a `values_list` query set.

    Its parameters are integers, texts for text columns, bytes (given to the query set as the
    `Value` of an integer), or instants if they are annotated as `datetime`. Call it with keyword
    arguments to get the rows as tuples; `build` returns the query set. None is SQL NULL, which
    equals nothing.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self.build = build
        self._compiled: CompiledQuery | None = None
        self.__doc__ = build.__doc__

    def __call__(self, **values: int | str | bytes | datetime | None) -> Iterable[Row]:
        compiled = self._compiled = self._compiled or self._compile()
        arguments = list(compiled.arguments)
        for place, name in compiled.names:
            value = values[name]
            arguments[place] = _adapted(value) if isinstance(value, datetime) else value
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, arguments)
            rows = cursor.fetchall()
        return [_convert(row, compiled) for row in rows] if compiled.converters else rows

    def _compile(self) -> CompiledQuery:
        parameters: dict[int | datetime, str] = {}
        for number, (name, parameter) in enumerate(signature(self.build).parameters.items()):
            is_instant = parameter.annotation is datetime
            later = FIRST_INSTANT + timedelta(seconds=number)
            parameters[later if is_instant else FIRST_PLACEHOLDER + number] = name
        # A text column converts the number to text, and some databases an instant.
        names: dict[Any, str] = {**parameters}
        for marker, name in parameters.items():
            names[_adapted(marker) if isinstance(marker, datetime) else str(marker)] = name
        compiler = self.build(*parameters).query.get_compiler(DEFAULT_DB_ALIAS)
        statement, constants = compiler.as_sql()
        sql, arguments = _with_literals(statement, constants, names)
        converters = compiler.get_converters(column for column, *_ in compiler.select)
        return CompiledQuery(
            sql,
            tuple(None if each in names else each for each in arguments),
            tuple((at, names[each]) for at, each in enumerate(arguments) if each in names),
            tuple((at, column, functions) for at, (functions, column) in converters.items()),
        )


def _with_literals(
    sql: str, arguments: Iterable[Any], names: Mapping[Any, str]
) -> tuple[str, list[Any]]:
    """The SQL with its simple constants written out, and the arguments that are left.

    PostgreSQL keeps one plan for all values only if it estimates that plan to cost no more than
    those made for each. With `live = $6` it estimates more rows and cannot use a partial index. So
    it plans the query each time, which takes several times as long as running it.
    """
    start, *parts = sql.split("%s")
    left = []
    for argument, part in zip(arguments, parts, strict=True):
        literal = None if argument in names else _literal(argument)
        if literal is None:
            left.append(argument)
        start += (literal or "%s") + part
    return start, left


def _literal(constant: Any) -> str | None:
    """A number, truth value or plain word as SQL; None for anything else."""
    if isinstance(constant, bool):
        return str(constant).upper()
    if isinstance(constant, int):
        return str(int(constant))
    is_word = isinstance(constant, str) and WORD.fullmatch(constant)
    return f"'{constant}'" if is_word else None


def _adapted(instant: datetime) -> Any:
    """The instant as the database's driver takes it."""
    return connection.ops.adapt_datetimefield_value(instant)


def _convert(row: Row, compiled: CompiledQuery) -> Row:
    values = list(row)
    for at, column, functions in compiled.converters:
        for function in functions:
            values[at] = function(values[at], column, connection)
    return tuple(values)
