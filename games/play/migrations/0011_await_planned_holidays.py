from django.db import migrations
from django.db.models.functions import Now


def await_beginnings(apps, editor):
    """Holidays that were planned before are announced like those that are planned from now on."""
    holidays = apps.get_model("play", "Vacation").objects.filter(planned=True, start__gt=Now())
    holidays.update(awaited=True)


class Migration(migrations.Migration):
    # Apart from the index that it fills: PostgreSQL makes none over rows that wait to be written.
    dependencies = [
        ("play", "0010_announced_holidays"),
    ]

    operations = [
        migrations.RunPython(await_beginnings, migrations.RunPython.noop, elidable=True),
    ]
