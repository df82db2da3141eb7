"""Monitoring: measurements of the service, checks of them, alerts by e-mail, and /metrics."""
