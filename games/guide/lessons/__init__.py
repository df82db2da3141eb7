"""Lessons: small positions of each game that a reader plays to learn one thing."""
