"""Migration operations that do not block a running service."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex, RemoveIndex


class AddIndexOnline(AddIndexConcurrently):
    """Adds an index without blocking writes: concurrently on PostgreSQL, normally on SQLite.

    Its migration needs `atomic = False`. SQLite locks its file meanwhile.
    """

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any
    ) -> None:
        base = AddIndexConcurrently if _is_postgresql(schema_editor) else AddIndex
        base.database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any
    ) -> None:
        base = AddIndexConcurrently if _is_postgresql(schema_editor) else AddIndex
        base.database_backwards(self, app_label, schema_editor, *states)


class RemoveIndexOnline(RemoveIndexConcurrently):
    """Removes an index without blocking writes, as AddIndexOnline adds one."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any
    ) -> None:
        base = RemoveIndexConcurrently if _is_postgresql(schema_editor) else RemoveIndex
        base.database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any
    ) -> None:
        base = RemoveIndexConcurrently if _is_postgresql(schema_editor) else RemoveIndex
        base.database_backwards(self, app_label, schema_editor, *states)


def _is_postgresql(schema_editor: BaseDatabaseSchemaEditor) -> bool:
    return bool(schema_editor.connection.vendor == "postgresql")
