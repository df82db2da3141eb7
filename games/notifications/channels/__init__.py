"""Channels besides e-mail: push, webhooks and feeds."""
