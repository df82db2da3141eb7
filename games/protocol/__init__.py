"""The protocol of programs that play: lines for a seat, and how they are read and written."""
