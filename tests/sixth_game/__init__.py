"""A game that the house does not know, to see that it asks for nothing but its own file."""
