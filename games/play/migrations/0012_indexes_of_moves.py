"""What a move writes: one index for all lists of a user's matches, and no constraint of plies."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline, RemoveIndexOnline


def drop_constraint(apps: Any, schema_editor: Any) -> None:
    # SQLite would have to copy all plies; there the constraint costs nothing.
    if schema_editor.connection.vendor == "postgresql":
        for name in _names(apps, schema_editor):
            schema_editor.execute(f"ALTER TABLE play_ply DROP CONSTRAINT {name}")


def restore_constraint(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql" and not _names(apps, schema_editor):
        schema_editor.execute(
            "ALTER TABLE play_ply ADD CONSTRAINT play_ply_match_id_fk_play_match_id "
            "FOREIGN KEY (match_id) REFERENCES play_match (id) DEFERRABLE INITIALLY DEFERRED"
        )


def _names(apps: Any, schema_editor: Any) -> list[str]:
    ply = apps.get_model("play", "Ply")
    names: list[str] = schema_editor._constraint_names(ply, ["match_id"], foreign_key=True)
    return names


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("play", "0011_looks_of_staff")]

    operations = [
        AddIndexOnline(
            model_name="player",
            index=models.Index(fields=["user", "live", "to_act", "-match"], name="player_lists"),
        ),
        AddIndexOnline(
            model_name="match",
            index=models.Index(
                fields=["id"],
                condition=models.Q(("finished_at__isnull", True)),
                name="match_live",
            ),
        ),
        RemoveIndexOnline(model_name="player", name="player_waiting"),
        RemoveIndexOnline(model_name="player", name="player_live"),
        RemoveIndexOnline(model_name="player", name="player_matches"),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop_constraint, restore_constraint)],
            state_operations=[
                migrations.AlterField(
                    "ply",
                    "match",
                    models.ForeignKey(
                        to="play.match",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        db_index=False,
                        db_constraint=False,
                    ),
                ),
            ],
        ),
    ]
