"""What pages and moves are held against: the least that Django can do for the same."""
