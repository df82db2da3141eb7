from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0004_rated_turns_talk'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='talk_muted',
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
