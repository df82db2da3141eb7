"""Transactional outbox: events of committed changes, delivered to subscribers at least once."""
