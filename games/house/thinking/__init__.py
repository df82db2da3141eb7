"""Thinking: lines go to a child process, a move comes back; past thoughts of finished matches."""
