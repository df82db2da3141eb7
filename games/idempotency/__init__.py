"""Idempotency keys: a form or API request that is sent twice acts once, with the same response."""
