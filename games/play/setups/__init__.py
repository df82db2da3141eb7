"""Unfinished set-ups, the form in which they are edited, and each player's library of set-ups."""
