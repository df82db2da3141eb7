"""Notifications: which events users are told of, when, and by which channels."""
