"""The whole service in its own processes, with people who play on it and faults that are injected.

`make chaos` runs it for long, the tests for a short while; docs/exactness.md has the results.
"""
