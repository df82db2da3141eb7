"""House opponents: they see what a seat sees, and answer with a move in text as anybody may."""
