"""Trust: who wrote a message, by what our own mail server found out about it."""
