"""Export of a person's data: each room's part of it, its files, and the ZIP file of all files."""
