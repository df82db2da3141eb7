"""Text forms: moves, set-ups, positions and game records, read and written."""
