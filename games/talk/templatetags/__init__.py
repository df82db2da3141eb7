"""Template tags of talk."""
