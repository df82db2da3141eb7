"""The pages of a match: board, actions, looking back, notes, polling."""
