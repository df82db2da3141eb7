"""Knowledge: what a player has seen and noted of a match, on that player's own pages alone."""
