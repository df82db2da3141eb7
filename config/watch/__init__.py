"""Watching the service: what the database tells of it, for monitors, staff and administrators."""
