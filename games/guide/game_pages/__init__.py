"""A game's page in the guide: its pictures and tables, and the same for docs/games."""
