"""Signing in: passwords, second factors, counted guesses, and the log of what happened."""
