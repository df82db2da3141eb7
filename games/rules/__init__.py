"""Rules engine: pure Python without clock, network or database.

Everything here depends on the arguments alone. Chance enters by the random generator that a caller
hands in, and names of squares and pieces appear only where text comes in or goes out.
"""
