from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0008_live_seats'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['user', '-match'], name='player_matches'),
        ),
        migrations.RemoveIndex(
            model_name='player',
            name='player_ended',
        ),
    ]
