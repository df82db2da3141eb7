"""Good set-ups of every game, varied at random: for house opponents and for "Place for me"."""
