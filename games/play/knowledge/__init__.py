"""Knowledge: what a player has seen and noted of a match, for that player's own pages only."""
