"""Tactique: losers are demoted before they are removed, and archers shoot (T1 to T14)."""
