"""The cross table of a group, and the order of its players. Pure functions, no database."""
