"""Rules engine: pure Python without clock, network or database.

Every result depends on the arguments alone. Randomness comes from a generator that the caller
passes, and names of squares and pieces are used only in input and output.
"""
