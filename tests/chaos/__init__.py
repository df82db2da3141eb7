"""The whole service in processes of its own, with people who play on it and things that break.

`make chaos` runs it for long, the tests for a short while; docs/exactness.md says what was found.
"""
