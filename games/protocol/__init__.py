"""Bot protocol: JSON lines that ask a program for a set-up or a move, written and read."""
