"""Core shared by all games: positions, moves, notation, and what each side may see."""
