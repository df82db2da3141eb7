"""The formula, what counts, and their tables: pure functions, which need no database."""
