"""Views of the archive: finished matches, and game records that players imported."""
