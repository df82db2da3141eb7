"""The state of a match: positions, events, evidence, movement."""
