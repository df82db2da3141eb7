"""Lists of matches: a player's own, the front page, those in which it is their turn."""
