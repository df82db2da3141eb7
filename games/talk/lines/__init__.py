"""Lines of talk: their text, how they are sealed, and who may read which."""
