"""Sending e-mails by SMTP: delivery, refusals, faults, bounces."""
