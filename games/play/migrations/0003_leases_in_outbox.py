"""Leases move to the outbox; their table stays as it is."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0002_heavy_requests'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(
                    name='Lease',
                ),
            ],
        ),
    ]
