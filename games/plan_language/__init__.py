"""Language of plans: conditional moves as lines of text, read, held and written."""
