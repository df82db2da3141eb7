from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0004_channel_failures'),
    ]

    operations = [
        migrations.AlterField(
            model_name='replyaddress',
            name='asks',
            field=models.CharField(
                blank=True,
                choices=[
                    ('', 'Nothing'),
                    ('resign', 'Resign'),
                    ('abort', 'Abort'),
                    ('setup', 'Setup'),
                    ('closed', 'Closed'),
                ],
                max_length=10,
            ),
        ),
    ]
