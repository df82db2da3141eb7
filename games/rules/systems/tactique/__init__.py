"""Tactique: pieces are demoted before they fall, and archers shoot unasked (T1 to T14)."""
