"""The whole service in its own processes, with simulated players and injected faults.

`make chaos` runs it for long, the tests for a short while; docs/exactness.md has the results.
"""
