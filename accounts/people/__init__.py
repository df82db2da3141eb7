"""People: presence, export and erasure of accounts, and unsubscribing without signing in."""
