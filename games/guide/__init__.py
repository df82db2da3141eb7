"""The guide: the rules of every game, explained on pages and in docs/games, taught in lessons."""
