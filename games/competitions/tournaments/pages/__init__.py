"""Pages of tournaments: the list, each tournament, and its tables as CSV."""
