"""People: presence, erasure, and unsubscribing without signing in."""
