"""Noninterference: what one side hides changes no byte that other viewers receive."""
