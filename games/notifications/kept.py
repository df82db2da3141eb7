"""What notifications keep for how long."""

from datetime import timedelta

from accounts.retention import Kept, by_date
from games.notifications.models import AccountEmail

KEPT = (
    Kept(
        "e-mails about an account that could not be sent, sealed",
        timedelta(days=3),
        "they were written",
        "`written_at`",
        by_date(AccountEmail, "written_at"),
        AccountEmail,
    ),
)
