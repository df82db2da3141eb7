"""Guide: the rules of every game, on pages and in docs/games, and interactive lessons."""
