"""Delivery of due rows: dispatcher, retries, and the release of held e-mails."""
