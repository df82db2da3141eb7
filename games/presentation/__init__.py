"""Presentation of each game: drawings, words and pictures, one file and one line per game."""
