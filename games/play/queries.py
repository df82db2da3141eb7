"""Queries that are put into SQL once and asked again and again.

For the small questions behind every page, Django takes longer to write the SQL than the database to
answer it.
"""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

Row = tuple[Any, ...]
MARK = 2_000_000_000  # while the SQL is written, numbers from here on stand for the parameters


class Written(NamedTuple):
    """A query in SQL."""

    sql: str
    given: tuple[Any, ...]  # constants, and nothing where a parameter goes
    names: tuple[tuple[int, str], ...]  # of the parameters, each with its place among `given`
    converters: tuple[tuple[int, Any, list[Callable[..., Any]]], ...]  # by column


class ReadyQuery:
    """A function that returns a `values_list`, as a decorator; its parameters are ids and numbers.

    Called with these by name, it gives the rows of that query set, which `ask` gives itself.
    """

    def __init__(self, ask: Callable[..., QuerySet[Any, Any]]) -> None:
        self.ask = ask
        self._written: Written | None = None
        self.__doc__ = ask.__doc__

    def __call__(self, **numbers: int | None) -> Iterable[Row]:
        written = self._written = self._written or self._write()
        given = list(written.given)
        for place, name in written.names:
            given[place] = numbers[name]
        with connection.cursor() as cursor:
            cursor.execute(written.sql, given)
            rows = cursor.fetchall()
        return [_convert(row, written) for row in rows] if written.converters else rows

    def _write(self) -> Written:
        parameters = {
            MARK + number: name for number, name in enumerate(signature(self.ask).parameters)
        }
        compiler = self.ask(*parameters).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, given = compiler.as_sql()
        converters = compiler.get_converters(column for column, *_ in compiler.select)
        return Written(
            sql,
            tuple(None if each in parameters else each for each in given),
            tuple((at, parameters[each]) for at, each in enumerate(given) if each in parameters),
            tuple((at, column, functions) for at, (functions, column) in converters.items()),
        )


def _convert(row: Row, written: Written) -> Row:
    values = list(row)
    for at, column, functions in written.converters:
        for function in functions:
            values[at] = function(values[at], column, connection)
    return tuple(values)
