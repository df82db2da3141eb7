"""What the house does in a match: start, answer, resign, accept offers."""
