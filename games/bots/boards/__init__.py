"""Boards for search: make and unmake moves fast, with tables of battles, moves and distances."""
