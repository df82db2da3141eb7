"""House opponents are always active: staff of earlier versions could block them."""

from typing import Any

from django.db import migrations, models


def activate(apps: Any, schema_editor: Any) -> None:
    users = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    users.exclude(house_level="").update(is_active=True, pending=False)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.RunPython(activate, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("house_level", ""),
                    models.Q(("is_active", True), ("pending", False)),
                    _connector="OR",
                ),
                name="user_house_active",
            ),
        ),
    ]
