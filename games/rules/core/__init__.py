"""The engine: positions, moves, notation and what each side may see. It knows no game."""
