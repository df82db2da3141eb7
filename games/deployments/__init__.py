"""Good set-ups of every game, varied by chance: for house opponents and for "Place for me"."""
