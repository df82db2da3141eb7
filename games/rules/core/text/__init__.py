"""Text formats: reading and writing of moves, set-ups, positions and game records."""
