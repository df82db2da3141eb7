"""Metrics for Prometheus: a collector that reads the database, so any process can answer.

Latencies are missing, since a process knows only its own requests; the access log has them.
"""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
)

from config.environment.version import version
from config.watch import measurements

# Prometheus' text format.
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Collector:
    """Measurements and sizes as metric families; only that of the version has a label."""

    def collect(self) -> Iterator[Metric]:
        now, sizes = measurements.measure(), measurements.sizes()
        yield InfoMetricFamily(
            "estafette_build", "The version of the program.", value={"version": version()}
        )
        if now.heartbeat_age is not None:
            age = now.heartbeat_age.total_seconds()
            yield _gauge("heartbeat_age_seconds", "Time since moves could last be taken.", age)
        lag = now.sweep_lag.total_seconds()
        yield _gauge("sweep_lag_seconds", "Delay of the sweep of deadlines.", lag)
        rows = f"Pending rows of the outbox; at most {measurements.MAX_ROWS} are counted."
        yield _gauge("outbox_waiting", rows, now.waiting)
        due = now.due_age.total_seconds()
        yield _gauge("outbox_oldest_due_seconds", "Time since the oldest due row was due.", due)
        held = "Whether HOLD_EMAILS pauses all delivery."
        yield _gauge("outbox_held", held, int(now.is_held))
        away = "Rows whose mail server has accepted nothing for ten minutes."
        yield _gauge("outbox_unsendable", away, now.unsendable)
        ours = "E-mails that mail servers refuse because of a fault on our side."
        yield _gauge("outbox_refused", ours, now.refused)
        returned = "Readers whose e-mails bounced within a day because of a fault on our side."
        yield _gauge("readers_returned", returned, now.returned)
        yield _gauge("outbox_dead", "Rows given up within a day.", now.dead)
        yield _counter("outbox_posted", "Rows ever posted to the outbox.", sizes.posted)
        yield _gauge("halts", "Halts of time-outs in force.", int(now.held is not None))
        yield _gauge("outages_unsettled", "Outages not yet credited to all clocks.", now.owed)
        turn = "Age of the oldest turn that a house opponent has not answered."
        yield _gauge("house_oldest_turn_seconds", turn, now.house_age.total_seconds())
        failing = len(now.failing_servers)
        yield _gauge("web_servers_failing", "Web servers of WEB_URL that are not ready.", failing)
        proxies = "Proxies of PROXY_URL through which the service is not ready."
        yield _gauge("proxies_failing", proxies, len(now.failing_proxies))
        broken = "Running matches that lack their newest ply."
        yield _gauge("matches_broken", broken, len(now.broken_matches))
        if now.is_listening is not None:
            listens = "Whether the mail listener at MAIL_LISTEN answers."
            yield _gauge("mail_listener_up", listens, int(now.is_listening))
        if now.backups.age is not None:
            age = now.backups.age.total_seconds()
            yield _gauge("backup_age_seconds", "Time since the last backup.", age)
        late = "Whether the next backup is overdue (BACKUP_ALERT_DAYS)."
        yield _gauge("backup_overdue", late, int(now.backups.overdue))
        if now.backups.verified_age is not None:
            age = now.backups.verified_age.total_seconds()
            yield _gauge("backup_verified_age_seconds", "Time since a backup was verified.", age)
        late = "Whether it is time to verify a backup (BACKUP_ALERT_DAYS)."
        overdue = int(now.backups.verification_overdue)
        yield _gauge("backup_verification_overdue", late, overdue)
        yield _gauge("matches_running", "Matches that are not over.", sizes.running_matches)
        yield _gauge("clocks_running", "Clocks that the sweep checks.", sizes.running_clocks)
        yield _counter("matches_opened", "Matches ever opened.", sizes.matches)
        # A gauge, since an estimate may fall.
        yield _gauge("plies", "Plies stored; on PostgreSQL an estimate.", sizes.plies)


def text() -> bytes:
    """All metrics in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collector())
    return generate_latest(registry)


def _gauge(name: str, description: str, value: float) -> Metric:
    return GaugeMetricFamily(f"estafette_{name}", description, value=value)


def _counter(name: str, description: str, value: float) -> Metric:
    return CounterMetricFamily(f"estafette_{name}", description, value=value)
