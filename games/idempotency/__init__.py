"""Idempotency keys: a form that is sent twice acts once and gets the same response."""
