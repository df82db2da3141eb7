"""Habits of the games that this project ships, a module each."""
