"""How each game is shown and told: drawings, words and pictures, one file and one line per game."""
