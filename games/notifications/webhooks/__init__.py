"""Outgoing webhooks: notifications to addresses of a person's choice."""
