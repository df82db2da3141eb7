"""Checks of the running service: each finds a problem, and says what to do and who may see it.

Shown by `manage.py health`, the admin's front page and e-mails to ADMINS. To add a check, add its
measurement to measurements.py, write a function that returns a Finding, and add it to CHECKS.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.watch.measurements import Measurements
from games.notifications.email.sending import server_faults
from games.notifications.email.sending.server_faults import ServerFault
from games.play.clocks.heartbeat import OUTAGE_GAP

# The sweep runs twice a minute and may take 45 seconds; reminders are hours ahead of a deadline.
MAX_SWEEP_LAG = timedelta(minutes=5)
# Due rows are fetched four times a minute. After an outage, everybody may get an e-mail.
MAX_DUE_AGE = timedelta(minutes=5)
# Twice the time to credit 50,000 clocks.
MAX_OWED_AGE = timedelta(minutes=10)

# A house opponent answers within a minute, but a hundred may be waiting in turn.
MAX_HOUSE_AGE = timedelta(minutes=15)

MAX_NAMED = 10  # matches in one sentence

# E-mails about the mail listener wait for this, so that a restart causes none.
MAX_HEARTBEAT_AGE_AT_RESTART = timedelta(minutes=1)

WORKER, BEAT, WEB, HOUSE, LISTENER = PARTS = ("worker", "beat", "web", "house", "listener")


class Finding(NamedTuple):
    """The result of a check; without a `problem`, all is well."""

    name: str
    title: str  # the name for staff, translated
    shown: str  # the measured value, in a few characters
    problem: str = ""
    advice: str = ""
    permission: str = ""  # needed to see it in the admin
    page: str = ""  # of the admin, where it can be dealt with
    parts: tuple[str, ...] = ()  # the kinds of process that are affected
    mailed: bool = True  # False: administrators are e-mailed elsewhere


def check(measured: Measurements) -> list[Finding]:
    """The findings of all checks."""
    return [each(measured) for each in CHECKS]


def problems(measured: Measurements) -> list[Finding]:
    """The findings that have a problem."""
    return [finding for finding in check(measured) if finding.problem]


def _heartbeat(measured: Measurements) -> Finding:
    age = measured.heartbeat_age
    parts: tuple[str, ...] = (WORKER, WEB)
    problem = advice = ""
    if age is None or age > OUTAGE_GAP:
        if measured.failing_servers:
            problem, parts = _("Moves cannot be processed, so the clocks are stopped."), (WEB,)
            advice = _("Check the web servers below.")
        elif measured.failing_proxies:
            problem, parts = _("Moves cannot be processed, so the clocks are stopped."), ()
            advice = _("Check the proxy below.")
        elif measured.is_listening is False:
            problem = _("Moves cannot be processed, so the clocks are stopped.")
            advice, parts = _("Check the mail listener below."), (LISTENER,)
        else:
            problem, parts = _("No worker has reported, or it cannot process moves."), (WORKER,)
            advice = _(
                "Start a worker, or check its log for the reason. Until then no e-mail is "
                "sent and the clocks are stopped."
            )
    shown = "never" if age is None else _seconds(age)
    return Finding(
        "heartbeat", _("Heartbeat"), shown, problem, advice, "play.view_outage", "", parts
    )


def _web_servers(measured: Measurements) -> Finding:
    failing = measured.failing_servers
    problem = "; ".join(
        _("The web server at %(url)s is not ready: %(failure)s.") % {"url": url, "failure": failure}
        for url, failure in failing.items()
    )
    advice = _("Check its log for the reason. If it should no longer run, remove it from WEB_URL.")
    shown = f"{len(failing)} failing"
    return Finding(
        "web servers", _("Web servers"), shown, problem, advice, "play.view_outage", parts=(WEB,)
    )


def _proxies(measured: Measurements) -> Finding:
    failing = measured.failing_proxies
    problem = "; ".join(
        _("The site cannot be reached through the proxy at %(url)s: %(failure)s.")
        % {"url": url, "failure": failure}
        for url, failure in failing.items()
    )
    advice = _(
        "Check whether the proxy is running and its certificate is valid, and the number of its "
        "connections. docs/running/proxy.md explains how to limit them."
    )
    shown = f"{len(failing)} failing"
    return Finding("proxy", _("Proxy"), shown, problem, advice, "play.view_outage")


def _listener(measured: Measurements) -> Finding:
    problem = ""
    if measured.is_listening is False:
        problem = _("The mail listener at MAIL_LISTEN does not answer, so the clocks are stopped.")
    age = measured.heartbeat_age
    return Finding(
        "listener",
        _("Mail listener"),
        "none" if measured.is_listening is None else "answers" if not problem else "no answer",
        problem,
        _(
            "Start `manage.py listen_mail` (estafette-mail, or the container listener), or remove "
            "MAIL_LISTEN."
        ),
        "play.view_outage",
        parts=(LISTENER,),
        mailed=age is None or age > MAX_HEARTBEAT_AGE_AT_RESTART,
    )


def _sweep(measured: Measurements) -> Finding:
    problem = ""
    if measured.sweep_lag > MAX_SWEEP_LAG:
        problem = _("Deadlines and reminders are %(minutes)s minutes late.") % {
            "minutes": _minutes(measured.sweep_lag)
        }
    advice = _("Check the workers' logs for the reason, and whether there are enough workers.")
    shown = f"{_seconds(measured.sweep_lag)} late"
    return Finding(
        "sweep", _("Deadlines"), shown, problem, advice, "play.view_outage", parts=(BEAT,)
    )


def _outbox(measured: Measurements) -> Finding:
    problem = ""
    advice = _("Check the workers' logs for the reason, and whether there are enough workers.")
    parts: tuple[str, ...] = (WORKER,)
    if measured.is_held:
        problem = _("HOLD_EMAILS is on, so no message is delivered to anybody.")
        advice = _(
            "Remove it and restart all processes. In a restored copy, follow "
            "docs/running/backups.md first."
        )
        parts = ()  # A restart changes nothing.
    elif measured.due_age > MAX_DUE_AGE:
        problem = _("A message has been due for %(minutes)s minutes and was not attempted.") % {
            "minutes": _minutes(measured.due_age)
        }
    return Finding(
        "outbox",
        _("Outgoing messages"),
        f"{measured.waiting} waiting, the oldest due for {_seconds(measured.due_age)}",
        problem,
        advice,
        "outbox.view_dispatch",
        _dispatches("waiting"),
        parts=parts,
    )


def _mail_server(measured: Measurements) -> Finding:
    count, problem = measured.unsendable, ""
    advice = _("Check that EMAIL_URL is right and the mail server is running. Sending is retried.")
    if count and measured.server_fault in set(ServerFault):
        problem = server_faults.sentence(measured.server_fault)
        advice = ngettext(
            "%(count)s message is waiting and will be sent once this is fixed. `manage.py "
            "check_mail` tests it.",
            "%(count)s messages are waiting and will be sent once this is fixed. `manage.py"
            " check_mail` tests it.",
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
        f"{count} rows refused, {measured.server_fault}" if count else "0 rows refused",
        problem,
        advice,
        "outbox.view_dispatch",
        _dispatches("failed"),
    )


def _refusals(measured: Measurements) -> Finding:
    """E-mails that mail servers refuse or return because of a fault on our side."""
    problems = []
    if measured.many_refused:
        problems.append(
            _(
                "The mail server rejects so many mailboxes at once that the cause must be "
                "on our side (%(codes)s)."
            )
            % {"codes": ", ".join(measured.refusals)}
        )
    elif measured.refused:
        problems.append(
            ngettext(
                "%(count)s e-mail is waiting: mail servers reject it for a reason on our "
                "side (%(codes)s).",
                "%(count)s e-mails are waiting: mail servers reject them for a reason on "
                "our side (%(codes)s).",
                measured.refused,
            )
            % {"count": measured.refused, "codes": ", ".join(measured.refusals)}
        )
    if measured.returned:
        problems.append(
            ngettext(
                "E-mails to %(count)s recipient bounced within the last day for a reason on"
                " our side (%(codes)s).",
                "E-mails to %(count)s recipients bounced within the last day for a reason "
                "on our side (%(codes)s).",
                measured.returned,
            )
            % {"count": measured.returned, "codes": ", ".join(measured.returns)}
        )
    return Finding(
        "refusals",
        _("Rejected e-mails"),
        f"{measured.refused} waiting, returned to {measured.returned} readers in a day",
        " ".join(problems),
        _(
            "docs/running/mail.md explains the codes; the mail server's log has the full "
            "text. When the cause is fixed, run `manage.py release_emails --retry`."
        ),
        "outbox.view_dispatch",
        _dispatches("failed"),
    )


def _dead(measured: Measurements) -> Finding:
    count, problem = measured.dead, ""
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


def _halt(measured: Measurements) -> Finding:
    count = measured.held
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
        mailed=False,  # breaker.py e-mails each halt
    )


def _outages(measured: Measurements) -> Finding:
    problem = ""
    if measured.owed_age > MAX_OWED_AGE:
        problem = _(
            "An outage ended %(minutes)s minutes ago, and not all clocks have been given "
            "that time back yet."
        ) % {"minutes": _minutes(measured.owed_age)}
    return Finding(
        "outages",
        _("Outages"),
        f"{measured.owed} unsettled",
        problem,
        _("Nobody loses on time until that is done. Check the workers' logs for the reason."),
        "play.view_outage",
        f"{reverse('admin:play_outage_changelist')}?settled=no",
    )


def _records(measured: Measurements) -> Finding:
    broken, problem = measured.broken_matches, ""
    if broken:
        problem = ngettext(
            "The newest ply of match %(numbers)s is missing, so nobody can move in it.",
            "The newest plies of matches %(numbers)s are missing, so nobody can move in them.",
            len(broken),
        ) % {"numbers": ", ".join(map(str, broken[:MAX_NAMED]))}
    return Finding(
        "records",
        _("Records of matches"),
        f"{len(broken)} broken",
        problem,
        _(
            "Something has deleted rows of the database. All other matches go on. "
            "docs/running/troubleshooting.md explains how to restore these rows from a backup."
        ),
        "play.view_outage",
    )


def _house(measured: Measurements) -> Finding:
    problem = ""
    if measured.house_age > MAX_HOUSE_AGE:
        problem = _("Computer opponents have not moved for %(minutes)s minutes.") % {
            "minutes": _minutes(measured.house_age)
        }
    return Finding(
        "house",
        _("Computer opponents"),
        f"the oldest turn {_seconds(measured.house_age)} old",
        problem,
        _("Check that a worker for the queue “bots” is running, and its log for why it is late."),
        "play.view_outage",
        parts=(HOUSE,),
    )


def _backups(measured: Measurements) -> Finding:
    age, overdue, verified_age, verification_overdue = measured.backups
    problem = ""
    if overdue and age is None:
        problem = _("There is no backup yet.")
    elif overdue and age:
        problem = _("The last backup is %(days)s days old.") % {"days": age.days}
    elif verification_overdue and verified_age is None:
        problem = _("No backup has been verified yet.")
    elif verification_overdue and verified_age:
        problem = _("A backup was last verified %(days)s days ago.") % {"days": verified_age.days}
    shown = "none yet" if age is None else f"the last one {age.total_seconds() / 3600:.0f} h old"
    if verified_age is not None:
        shown += f", last verified {verified_age.total_seconds() / 3600:.0f} h ago"
    advice = _(
        "Run `manage.py backup DIRECTORY` every night and `manage.py verify_backup FILE` every "
        "week, and find out why they did not run. docs/running/backups.md explains how."
    )
    return Finding("backups", _("Backups"), shown, problem, advice, "play.view_outage")


CHECKS: tuple[Callable[[Measurements], Finding], ...] = (
    _heartbeat,
    _web_servers,
    _proxies,
    _listener,
    _sweep,
    _outbox,
    _mail_server,
    _refusals,
    _dead,
    _halt,
    _outages,
    _records,
    _house,
    _backups,
)


def _dispatches(state: str) -> str:
    return f"{reverse('admin:outbox_dispatch_changelist')}?state={state}"


def _seconds(span: timedelta) -> str:
    return f"{span.total_seconds():.0f} s"


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)
