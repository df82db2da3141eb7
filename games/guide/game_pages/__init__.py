"""Pictures and tables of a game, for its page in the guide and for docs/games."""
