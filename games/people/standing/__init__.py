"""How a player stands: reliability, caps and bars, what a profile says of them."""
