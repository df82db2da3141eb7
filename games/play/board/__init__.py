"""The board of a page: drawing it, choosing moves on it, and the lists next to it."""
