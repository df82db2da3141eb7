"""Metrics for Prometheus: a collector that asks the database, so that any process may answer.

Latencies are not among them: each process knows its own requests alone. The access log has the
duration of every one.
"""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from config.watch import facts

# Without exponents and labels there is nothing in it that differs from player to player.
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Collector:
    """Facts and sizes as metric families; everything is about the service as a whole."""

    def collect(self) -> Iterator[Metric]:
        now, sizes = facts.gather(), facts.sizes()
        if now.heartbeat_age is not None:
            age = now.heartbeat_age.total_seconds()
            yield _gauge("heartbeat_age_seconds", "Since moves could last be taken.", age)
        lag = now.sweep_lag.total_seconds()
        yield _gauge("sweep_lag_seconds", "By which the sweep of deadlines is late.", lag)
        rows = f"Rows of the outbox that wait; at most {facts.MAX_ROWS} are counted."
        yield _gauge("outbox_waiting", rows, now.waiting)
        due = now.due_age.total_seconds()
        yield _gauge("outbox_oldest_due_seconds", "Since the oldest due row should have gone.", due)
        away = "Rows whose mail server has taken nothing for ten minutes."
        yield _gauge("outbox_unsendable", away, now.unsendable)
        ours = "E-mails that mail servers refuse for a reason that lies with us."
        yield _gauge("outbox_refused", ours, now.refused)
        returned = "Readers whose e-mails came back within a day for a reason that lies with us."
        yield _gauge("readers_returned", returned, now.returned)
        yield _gauge("outbox_dead", "Rows given up within a day.", now.dead)
        yield _counter("outbox_posted", "Rows ever posted to the outbox.", sizes.posted)
        yield _gauge("halts", "Stops of time-outs in force.", int(now.held is not None))
        yield _gauge("outages_unsettled", "Outages not yet credited to all clocks.", now.owed)
        failing = len(now.failing_servers)
        yield _gauge("web_servers_failing", "Web servers of WEB_URL that are not ready.", failing)
        if now.backups.age is not None:
            age = now.backups.age.total_seconds()
            yield _gauge("backup_age_seconds", "Since the last backup was made.", age)
        late = "Whether a backup should have been made by now (BACKUP_ALERT_DAYS)."
        yield _gauge("backup_overdue", late, int(now.backups.overdue))
        yield _gauge("matches_running", "Matches that are not over.", sizes.running_matches)
        yield _gauge("clocks_running", "Clocks that the sweep watches.", sizes.running_clocks)
        yield _counter("matches_opened", "Matches ever opened.", sizes.matches)
        # No counter, since an estimate may fall.
        yield _gauge("plies", "Plies stored; on PostgreSQL an estimate.", sizes.plies)


def text() -> bytes:
    """All of them in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collector())
    return generate_latest(registry)


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"estafette_{name}", words, value=value)


def _counter(name: str, words: str, value: float) -> Metric:
    return CounterMetricFamily(f"estafette_{name}", words, value=value)
