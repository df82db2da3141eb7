from datetime import timedelta

from django.db import migrations, models

GRACE = timedelta(seconds=60)


def wind(apps, schema_editor):
    """Give the players of running matches clocks that say what their deadlines said."""
    players = apps.get_model("play", "Player").objects
    live = players.filter(match__status__in=("setup", "running")).select_related("match")
    for player in live.iterator():
        pace = player.match.setup_pace if player.match.status == "setup" else player.match.pace
        count, unit = int(pace[:-1]), pace[-1]
        player.bank = timedelta(days=count) if unit == "d" else timedelta(hours=count)
        if player.deadline is not None:
            player.since = player.deadline - player.bank
            player.check_at = player.remind_at or player.deadline + GRACE
        player.save(update_fields=["bank", "since", "check_at"])


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0002_match_twin"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="bank",
            field=models.DurationField(blank=True, null=True, verbose_name="time in the bank"),
        ),
        migrations.AddField(
            model_name="player",
            name="since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="clock runs since"),
        ),
        migrations.AddField(
            model_name="player",
            name="check_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="to be looked at"),
        ),
        migrations.AddField(
            model_name="player",
            name="wound",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(wind, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="player", name="player_due"),
        migrations.RemoveIndex(model_name="player", name="player_remind"),
        migrations.RemoveField(model_name="player", name="remind_at"),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("check_at__isnull", False)),
                fields=["check_at"],
                name="player_check",
            ),
        ),
    ]
