"""Leases move here from play, stored responses away; both tables stay as they are."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('outbox', '0001_initial'),
        ('idempotency', '0001_initial'),
        ('play', '0003_leases_in_outbox'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Lease',
                    fields=[
                        ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                        ('until', models.DateTimeField(null=True)),
                    ],
                    options={
                        'db_table': 'play_lease',
                        'default_permissions': (),
                    },
                ),
                migrations.DeleteModel(
                    name='StoredResponse',
                ),
            ],
        ),
    ]
