"""Signals of the outbox, for the rooms above it."""

from django.dispatch import Signal

# E-mails that mail servers have not taken are released. Arguments: `since`, an instant, and
# `revive`, whether those are to be written to again whose mailboxes were marked since then.
# Receivers return how many people that were.
released = Signal()
