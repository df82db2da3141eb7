"""What one seat knows: pieces tracked through a match, and a dossier of each."""
