"""Template tags of the archive's pages."""
