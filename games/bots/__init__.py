"""Bots: the house opponents, which get what a seat sees and answer with a move as text."""
