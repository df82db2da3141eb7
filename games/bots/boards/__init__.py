"""Boards for searching: legal steps, distances and battles as tables, moves made and taken back."""
