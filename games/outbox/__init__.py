"""Transactional outbox: what must follow a committed change, delivered at least once."""
