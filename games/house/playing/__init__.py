"""What the house does in a match: set up, move, resign, and answer offers."""
