"""Pages of ratings: leader tables, a player's ratings, what a match did to both ratings."""
