"""The table: matches being played, and the one way to look at them."""
