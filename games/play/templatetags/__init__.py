"""Template tags and filters of the play pages."""
