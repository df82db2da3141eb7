"""The rules of the house's games: pure Python, no clock, no network, no database.

Its one rule: whatever happens here depends on the arguments alone. Chance enters by the generator
that a caller hands in, and names of squares and pieces appear only where text comes in or goes out.
"""
