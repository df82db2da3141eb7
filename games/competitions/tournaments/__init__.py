"""Round-robin tournaments: entry, draw, matches, cross tables, winners (docs/tournaments.md)."""
