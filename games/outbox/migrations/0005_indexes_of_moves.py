"""Indexes that cost every move less: none for LIKE, and each person's rows in ascending order."""

from typing import Any

from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline, RemoveIndexOnline

LIKE_INDEX = "outbox_dispatch_dedupe_b2ef525b_like"
OLD_NAME, NEW_NAME = "outbox_dispatch_dedupe_key", "dispatch_once"


def keep_the_unique_index(apps: Any, schema_editor: Any) -> None:
    # SQLite keeps the column's own constraint and has no such index.
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {LIKE_INDEX}")
        rename(schema_editor, OLD_NAME, NEW_NAME)


def restore_the_other(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        rename(schema_editor, NEW_NAME, OLD_NAME)
        schema_editor.execute(
            f"CREATE INDEX CONCURRENTLY {LIKE_INDEX} ON outbox_dispatch "
            "(dedupe varchar_pattern_ops)"
        )


def rename(schema_editor: Any, old: str, new: str) -> None:
    schema_editor.execute(f"ALTER TABLE outbox_dispatch RENAME CONSTRAINT {old} TO {new}")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("outbox", "0004_dispatch_of_user")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunPython(keep_the_unique_index, restore_the_other),
            ],
            state_operations=[
                migrations.AlterField("dispatch", "dedupe", models.CharField(max_length=240)),
                migrations.AddConstraint(
                    "dispatch", models.UniqueConstraint(fields=["dedupe"], name="dispatch_once")
                ),
            ],
        ),
        RemoveIndexOnline(model_name="dispatch", name="dispatch_of_user"),
        AddIndexOnline(
            model_name="dispatch",
            index=models.Index(
                fields=["user", "id"],
                condition=models.Q(("user__isnull", False)),
                name="dispatch_of_user",
            ),
        ),
    ]
