"""The guide: the rules of every game explained, on pages of the site and in docs/games."""
