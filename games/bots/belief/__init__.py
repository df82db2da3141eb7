"""Belief: what one seat may think of each enemy piece, from what it has seen and heard."""
