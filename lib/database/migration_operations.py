"""Migration operations that do not block a running service."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex


class AddIndexOnline(AddIndexConcurrently):
    """Adds an index while others write: concurrently on PostgreSQL, as usual elsewhere.

    Its migration needs `atomic = False`. SQLite locks its file for that moment.
    """

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any
    ) -> None:
        here = AddIndexConcurrently if self._is_postgresql(schema_editor) else AddIndex
        here.database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any
    ) -> None:
        here = AddIndexConcurrently if self._is_postgresql(schema_editor) else AddIndex
        here.database_backwards(self, app_label, schema_editor, *states)

    @staticmethod
    def _is_postgresql(schema_editor: BaseDatabaseSchemaEditor) -> bool:
        return bool(schema_editor.connection.vendor == "postgresql")
