"""Competitions: ladders and round-robin tournaments."""
