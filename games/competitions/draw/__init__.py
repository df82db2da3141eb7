"""The draw of a round-robin: groups, lots and the rounds. Pure functions, no database."""
