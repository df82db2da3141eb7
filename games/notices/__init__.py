"""What people are told, when, and by which ways; the post room above writes the letters."""
