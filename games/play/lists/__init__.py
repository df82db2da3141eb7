"""Lists of matches: a player's own, the front page, and those in which it is their turn."""
