"""What one seat knows: a tracker of pieces, and a dossier of what is known of them."""
