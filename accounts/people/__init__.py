"""People: presence, erasure of accounts, and unsubscribing without signing in."""
