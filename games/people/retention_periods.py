"""Retention period of reports."""

from datetime import timedelta

from games.people.models import Report
from lib.retention import Kept, by_date

KEPT = (
    Kept(
        "reports with their sealed copies, the decisions about them and the answers",
        timedelta(days=365),
        "they were closed",
        "`report_closed`",
        by_date(Report, "closed_at"),
        Report,
    ),
)
