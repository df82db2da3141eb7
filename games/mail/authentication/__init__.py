"""Sender authentication: Authentication-Results of our mail server, or our own DKIM checks."""
