"""Shared helpers under every package: database, sealing, retention, child processes, admin base."""
