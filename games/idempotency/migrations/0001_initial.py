"""Stored responses move here from the outbox; their table stays as it is."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('outbox', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='StoredResponse',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=64)),
                        ('digest', models.BinaryField(max_length=32)),
                        ('status', models.PositiveSmallIntegerField()),
                        ('location', models.TextField()),
                        ('at', models.DateTimeField()),
                        ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'outbox_storedresponse',
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='response_one_to_a_key')],
                    },
                ),
            ],
        ),
    ]
