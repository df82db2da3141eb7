"""The benchmark's crowd is written in SQL, which has to name each column without a default."""

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps

if TYPE_CHECKING:
    from django.db.models import Field

COMMAND = Path(__file__).parent / "floor" / "management" / "commands" / "make_crowd.py"
# The command's module belongs to an app that is installed for benchmarks alone.
(CROWD,) = (
    ast.literal_eval(node.value)
    for node in ast.parse(COMMAND.read_text()).body
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CROWD"
)
INSERTS = dict(re.findall(r"INSERT INTO (\w+) \(([^)]*)\)", CROWD))
MODELS = {model._meta.db_table: model for model in apps.get_models()}


def needs_value(field: "Field[Any, Any]") -> bool:
    return not (field.null or field.primary_key or field.has_db_default())


@pytest.mark.parametrize("table", INSERTS)
def test_every_column_without_a_default_gets_a_value(table: str) -> None:
    named = {name.strip() for name in INSERTS[table].split(",")}
    fields = MODELS[table]._meta.concrete_fields
    assert named <= {field.column for field in fields}
    wanted = {field.column for field in fields if needs_value(field)}
    assert wanted <= named
