"""Notifications: which events users are notified of, when, and over which channels."""
