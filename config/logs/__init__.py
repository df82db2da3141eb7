"""Logs: one record format for web, tasks and access, and errors reported to administrators."""
