"""The state of a match: positions, events, tracked pieces, and move generation."""
