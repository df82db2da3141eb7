"""Thinking: a limited child process chooses the moves of a house opponent."""
