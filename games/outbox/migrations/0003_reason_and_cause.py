"""Why a row was not sent, and the request that led to it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("outbox", "0002_leases")]

    operations = [
        migrations.AddField(
            model_name="dispatch",
            name="reason",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=20,
                verbose_name="why it was not sent",
            ),
        ),
        migrations.AddField(
            model_name="dispatch",
            name="cause",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=64, verbose_name="request"
            ),
        ),
    ]
