"""Replies to e-mails: reply addresses, and hints about commands."""
