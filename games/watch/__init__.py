"""Watching: running matches for visitors, a board that changes, and following a match."""
