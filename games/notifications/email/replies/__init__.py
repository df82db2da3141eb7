"""Replies to e-mails: an address for each, and hints about what to write."""
