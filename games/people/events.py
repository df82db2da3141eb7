"""Events of people, each published once by the command that causes it."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class ReportClosed(Event):
    """A moderator decided about a report for the first time. People: its reporters."""

    name = "report-closed"

    report: int


@dataclass(frozen=True, kw_only=True)
class Moderated(Event):
    """A moderator decided about a person, or again after their answer. People: that person.

    Not published if the first decision is that no rule was broken.
    """

    name = "moderated"

    decision: int


@dataclass(frozen=True, kw_only=True)
class ReportsWait(Event):
    """Within an hour, reports came or were answered. People: those who may decide about them."""

    name = "reports-wait"

    hour: int  # at whose end they are notified, by hours since 1970
