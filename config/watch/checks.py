"""Checks of the running service: what is wrong, what to do about it, and who may see it.

`manage.py health`, the admin's front page and the e-mails to ADMINS say the same. To have something
else watched, add its fact to facts.py, write a function that makes a Finding of it, and put that
into CHECKS.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.watch.facts import Facts
from games.notifications.email.sending import server_faults
from games.notifications.email.sending.server_faults import ServerFault
from games.play.clocks.heartbeat import OUTAGE_GAP

# The sweep comes twice a minute and may take 45 seconds; reminders are hours ahead of a deadline.
MAX_SWEEP_LAG = timedelta(minutes=5)
# Due rows are looked for four times a minute. After an outage everybody may be written to.
MAX_DUE_AGE = timedelta(minutes=5)
# In which 50,000 clocks are credited, twice over.
MAX_OWED_AGE = timedelta(minutes=10)

# They answer within a minute, but a hundred of them may wait for one thought after the other.
MAX_HOUSE_AGE = timedelta(minutes=15)

WORKER, BEAT, WEB = PARTS = ("worker", "beat", "web")


class Finding(NamedTuple):
    """What a check has found; all is well where there is no `problem`."""

    name: str
    title: str  # the same for staff, in their language
    shown: str  # what was measured, in a few characters
    problem: str = ""
    advice: str = ""
    permission: str = ""  # whoever has it may see this in the admin
    page: str = ""  # where in the admin something can be done about it
    parts: tuple[str, ...] = ()  # of the service that are ill
    mailed: bool = True  # unless administrators are told otherwise


def check(facts: Facts) -> list[Finding]:
    """What every check finds."""
    return [one(facts) for one in CHECKS]


def problems(facts: Facts) -> list[Finding]:
    """What is wrong."""
    return [finding for finding in check(facts) if finding.problem]


def _heartbeat(facts: Facts) -> Finding:
    age = facts.heartbeat_age
    parts: tuple[str, ...] = (WORKER, WEB)
    problem = advice = ""
    if age is None or age > OUTAGE_GAP:
        if facts.failing_servers:
            problem, parts = _("Moves cannot be processed, so the clocks are stopped."), (WEB,)
            advice = _("Check the web servers below.")
        else:
            problem, parts = _("No worker has reported, or it cannot process moves."), (WORKER,)
            advice = _(
                "Start a worker, or check its log for the reason. Until then no e-mail is sent "
                "and the clocks are stopped."
            )
    shown = "never" if age is None else _seconds(age)
    return Finding(
        "heartbeat", _("Heartbeat"), shown, problem, advice, "play.view_outage", "", parts
    )


def _web_servers(facts: Facts) -> Finding:
    failing = facts.failing_servers
    problem = "; ".join(
        _("The web server at %(url)s is not ready: %(failure)s.") % {"url": url, "failure": failure}
        for url, failure in failing.items()
    )
    advice = _("Check its log for the reason. If it should no longer run, remove it from WEB_URL.")
    shown = f"{len(failing)} failing"
    return Finding(
        "web servers", _("Web servers"), shown, problem, advice, "play.view_outage", parts=(WEB,)
    )


def _sweep(facts: Facts) -> Finding:
    problem = ""
    if facts.sweep_lag > MAX_SWEEP_LAG:
        problem = _("Deadlines and reminders are %(minutes)s minutes late.") % {
            "minutes": _minutes(facts.sweep_lag)
        }
    advice = _("Check the workers' logs for the reason, and whether there are enough workers.")
    shown = f"{_seconds(facts.sweep_lag)} late"
    return Finding(
        "sweep", _("Deadlines"), shown, problem, advice, "play.view_outage", parts=(BEAT,)
    )


def _outbox(facts: Facts) -> Finding:
    problem = ""
    if facts.due_age > MAX_DUE_AGE:
        problem = _("A message has been due for %(minutes)s minutes and was not attempted.") % {
            "minutes": _minutes(facts.due_age)
        }
    return Finding(
        "outbox",
        _("Outgoing messages"),
        f"{facts.waiting} waiting, the oldest due for {_seconds(facts.due_age)}",
        problem,
        _("Check the workers' logs for the reason, and whether there are enough workers."),
        "outbox.view_dispatch",
        _dispatches("waiting"),
        parts=(WORKER,),
    )


def _mail_server(facts: Facts) -> Finding:
    count, problem = facts.unsendable, ""
    advice = _("Check that EMAIL_URL is right and the mail server is running. Sending is retried.")
    if count and facts.server_fault in set(ServerFault):
        problem = server_faults.sentence(facts.server_fault)
        advice = ngettext(
            "%(count)s message is waiting and will be sent once this is fixed. `manage.py "
            "check_mail` tests it.",
            "%(count)s messages are waiting and will be sent once this is fixed. `manage.py "
            "check_mail` tests it.",
            count,
        ) % {"count": count}
    elif count:
        problem = ngettext(
            "%(count)s message has been retried for ten minutes; the server accepts nothing.",
            "%(count)s messages have been retried for ten minutes; the server accepts nothing.",
            count,
        ) % {"count": count}
    return Finding(
        "mail server",
        _("Mail server"),
        f"{count} rows refused, {facts.server_fault}" if count else "0 rows refused",
        problem,
        advice,
        "outbox.view_dispatch",
        _dispatches("failed"),
    )


def _refusals(facts: Facts) -> Finding:
    """E-mails that mail servers refuse or return for a reason that lies with us."""
    problems = []
    if facts.many_refused:
        problems.append(
            _(
                "The mail server rejects so many mailboxes at once that the cause must be on our "
                "side (%(codes)s)."
            )
            % {"codes": ", ".join(facts.refusals)}
        )
    elif facts.refused:
        problems.append(
            ngettext(
                "%(count)s e-mail is waiting: mail servers reject it for a reason on our side "
                "(%(codes)s).",
                "%(count)s e-mails are waiting: mail servers reject them for a reason on our "
                "side (%(codes)s).",
                facts.refused,
            )
            % {"count": facts.refused, "codes": ", ".join(facts.refusals)}
        )
    if facts.returned:
        problems.append(
            ngettext(
                "E-mails to %(count)s recipient bounced within the last day for a reason on our "
                "side (%(codes)s).",
                "E-mails to %(count)s recipients bounced within the last day for a reason on our "
                "side (%(codes)s).",
                facts.returned,
            )
            % {"count": facts.returned, "codes": ", ".join(facts.returns)}
        )
    return Finding(
        "refusals",
        _("Rejected e-mails"),
        f"{facts.refused} waiting, returned to {facts.returned} readers in a day",
        " ".join(problems),
        _(
            "docs/running/mail.md explains the codes; the mail server's log has the full text. "
            "When the cause is fixed, run `manage.py release_emails --retry`."
        ),
        "outbox.view_dispatch",
        _dispatches("failed"),
    )


def _dead(facts: Facts) -> Finding:
    count, problem = facts.dead, ""
    if count:
        problem = ngettext(
            "%(count)s message could not be sent within the last day.",
            "%(count)s messages could not be sent within the last day.",
            count,
        ) % {"count": count}
    return Finding(
        "dead letters",
        _("Messages that failed permanently"),
        f"{count} in a day",
        problem,
        _("Check the errors, fix the cause, and send the messages again."),
        "outbox.view_dispatch",
        _dispatches("dead"),
    )


def _halt(facts: Facts) -> Finding:
    count = facts.held
    problem = ""
    if count is not None:
        problem = ngettext(
            "Time-outs are held back, for %(count)s player.",
            "Time-outs are held back, for %(count)s players.",
            count,
        ) % {"count": count}
    return Finding(
        "time-outs",
        _("Time-outs"),
        "running" if count is None else f"{count} players held",
        problem,
        _("Find out why so many were late at once (“players held back”), then resume time-outs."),
        "play.view_halt",
        reverse("admin:play_halt_changelist"),
        mailed=False,  # breaker.py tells of each halt itself
    )


def _outages(facts: Facts) -> Finding:
    problem = ""
    if facts.owed_age > MAX_OWED_AGE:
        problem = _(
            "An outage ended %(minutes)s minutes ago, and not all clocks have been given that "
            "time back yet."
        ) % {"minutes": _minutes(facts.owed_age)}
    return Finding(
        "outages",
        _("Outages"),
        f"{facts.owed} unsettled",
        problem,
        _("Nobody loses on time until that is done. Check the workers' logs for the reason."),
        "play.view_outage",
        f"{reverse('admin:play_outage_changelist')}?settled=no",
    )


def _house(facts: Facts) -> Finding:
    problem = ""
    if facts.house_age > MAX_HOUSE_AGE:
        problem = _("Computer opponents have not moved for %(minutes)s minutes.") % {
            "minutes": _minutes(facts.house_age)
        }
    return Finding(
        "house",
        _("Computer opponents"),
        f"the oldest turn {_seconds(facts.house_age)} old",
        problem,
        _("Check that a worker for the queue “bots” is running, and its log for why it is late."),
        "play.view_outage",
    )


def _backups(facts: Facts) -> Finding:
    age, overdue = facts.backups
    problem = ""
    if overdue and age is None:
        problem = _("There is no backup yet.")
    elif overdue and age:
        problem = _("The last backup is %(days)s days old.") % {"days": age.days}
    shown = "none yet" if age is None else f"the last one {age.total_seconds() / 3600:.0f} h old"
    advice = _(
        "Run `manage.py backup DIRECTORY` every night, and find out why it did not run. "
        "docs/running/backups.md explains how, and how to test the copies."
    )
    return Finding("backups", _("Backups"), shown, problem, advice, "play.view_outage")


CHECKS: tuple[Callable[[Facts], Finding], ...] = (
    _heartbeat,
    _web_servers,
    _sweep,
    _outbox,
    _mail_server,
    _refusals,
    _dead,
    _halt,
    _outages,
    _house,
    _backups,
)


def _dispatches(state: str) -> str:
    return f"{reverse('admin:outbox_dispatch_changelist')}?state={state}"


def _seconds(span: timedelta) -> str:
    return f"{span.total_seconds():.0f} s"


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)
