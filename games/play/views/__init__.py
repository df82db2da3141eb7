"""Views of the play app: load a match view or run a command, then render or redirect."""
